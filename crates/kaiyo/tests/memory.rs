//! What happens when the system has no more memory.

#![cfg(unix)]

mod common;

use common::{Client, game, ms};

const START: &str = "position startpos";

/// Searches with a program that has just been refused memory.
fn play_on(client: &mut Client) {
    client.send("ucinewgame");
    client.send(START);
    let search = client.go("nodes 5000", ms(20_000));
    client.check(&search, &game(START));
    assert!(search.messages.is_empty(), "{:?}", search.messages);
}

#[test]
fn threads_without_memory_give_one_line_and_the_old_ones_go_on() {
    // Each thread takes some 20 MiB, mostly for its stack. In such steps of the limit, memory gives
    // out at another place each time.
    for mib in (700..724).step_by(4) {
        let mut client = Client::with_address_space(mib);
        client.send("uci");
        client.read_until("uciok");
        assert!(client.ask("setoption name Threads value 2").is_empty());
        for threads in [1024, 200] {
            let messages = client.ask(&format!("setoption name Threads value {threads}"));
            assert_eq!(messages.len(), 1, "{mib} MiB: {messages:?}");
            let expected = format!("option Threads: cannot start {threads} threads: out of memory");
            assert!(messages[0].contains(&expected), "{messages:?}");
            play_on(&mut client);
        }
        client.quit();
    }
}

#[test]
fn as_many_threads_as_can_be_had_can_search() {
    let mut client = Client::with_address_space(1000);
    client.send("uci");
    client.read_until("uciok");
    let mut threads = 1;
    while client.ask(&format!("setoption name Threads value {}", threads + 1)).is_empty() {
        threads += 1;
    }
    assert!((2..100).contains(&threads), "{threads}");
    play_on(&mut client);
    client.quit();
}

#[test]
fn a_hash_table_without_memory_gives_one_line_and_the_old_one_stays() {
    let mut client = Client::with_address_space(700);
    client.send("uci");
    client.read_until("uciok");
    let messages = client.ask("setoption name Hash value 4096");
    assert!(
        messages.len() == 1 && messages[0].contains("cannot allocate 4096 MiB"),
        "{messages:?}"
    );
    play_on(&mut client);
    client.quit();
}
