//! Random bytes.

use kaiyo_chess::Random;

/// Bytes that end nowhere in a line: control characters, Latin-1 and broken UTF-8.
pub fn bytes(random: &mut Random) -> Vec<u8> {
    let length = random.below(40);
    let mut bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
    bytes.retain(|&byte| byte != b'\n');
    bytes
}
