//! Conversations in the XBoard protocol.

#[path = "../common/mod.rs"]
mod common;
mod games;
mod interface;
mod pondering;
mod thinking;

use common::{AT_ONCE, Client};
use interface::{ask, ping, ready};

#[test]
fn features_are_told_in_lines_that_interfaces_can_read() {
    let mut client = Client::start();
    client.send("xboard");
    client.send("protover 2");
    let lines = client.read_until("feature done=1");
    for feature in [
        "ping=1",
        "setboard=1",
        "usermove=1",
        "analyze=1",
        "playother=1",
        "san=0",
        "memory=1",
        "smp=1",
        "colors=0",
        "variants=\"normal,fischerandom\"",
        "egt=\"syzygy\"",
        "exclude=1",
        " name=1",
        "option=\"MultiPV -spin 1 1 500\"",
        "option=\"ClearHash -button\"",
    ] {
        assert!(lines.iter().any(|line| line.contains(feature)), "{feature}");
    }
    for line in &lines {
        assert!(line.starts_with("feature ") && line.matches('"').count() % 2 == 0, "{line}");
    }
    for line in
        ["accepted ping", "rejected san", "random", "computer", "name GNU Chess 6", "rating 0 2700"]
    {
        assert!(ask(&mut client, line).is_empty(), "{line}");
    }
    client.quit();
}

#[test]
fn the_end_of_input_ends_the_program() {
    for line in ["analyze", "st 1000\nusermove e2e4", "force"] {
        let mut client = ready();
        client.send(line);
        client.close_input();
        client.assert_ends();
    }
}

#[test]
fn uci_comes_first_and_xboard_when_asked() {
    let mut client = Client::ready();
    client.send("setoption name Hash value 8");
    client.send("go infinite");
    client.send("xboard");
    client.read_until("info string xboard: not during a search");
    client.send("stop");
    client.finish_search(AT_ONCE);
    client.send("xboard");
    client.send("force");
    ping(&mut client, 1);
    client.quit();
}
