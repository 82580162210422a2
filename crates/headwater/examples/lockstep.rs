//! Lockstep multiplayer: two players, each with a copy of the world. In every tick, the peers
//! exchange player inputs and a hash of the resulting state, but never the world itself. In this
//! example, both peers are threads of one program, connected by a socket.
//!
//! `cargo run --release -p headwater --example lockstep`

use headwater::flow::{Amount, Change, Edit, Flow, Params};
use headwater::{Brush, Field, InputError, Square};
use std::error::Error;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const TICKS: u32 = 150;

fn main() -> Outcome<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let guest = thread::spawn(move || play(1, TcpStream::connect(address)?));
    let host = play(0, listener.accept()?.0)?;
    let guest = guest.join().map_err(|_| "the guest has panicked")??;
    println!("{TICKS} ticks, the same hash after each: {host:016x} here, {guest:016x} there");
    Ok(())
}

/// Creates the initial world of both peers: an island in a shallow sea.
fn create_world() -> Result<Flow, InputError> {
    let bed = Field::from_fn(96, 64, |x, y| {
        let [x, y] = [x as f32 / 48.0 - 1.0, y as f32 / 32.0 - 1.0];
        6.0 - 10.0 * (x * x + y * y)
    });
    let depth = bed.map(|&z| (0.0 - z).max(0.0));
    Flow::new(Square::new(96, 64, 1.0, 1.0)?, Params::default(), bed, depth)
}

/// Returns a player's input in a tick: the position (m) at which the player pours water or digs
/// ground.
fn player_input(player: usize, tick: u32) -> [f64; 2] {
    let turn = 0.05 * f64::from(tick) + 2.0 * player as f64;
    // Without `sin` and `cos`, whose last bits differ between machines.
    [10.0 + 75.0 * (turn / 7.0).fract(), 5.0 + 50.0 * (turn / 3.0).fract()]
}

fn play(player: usize, mut peer: TcpStream) -> Outcome<u64> {
    peer.set_nodelay(true)?;
    let mut flow = create_world()?;
    for tick in 0..TICKS {
        let mut inputs = [player_input(player, tick), [0.0; 2]];
        let [x, y] = inputs[0].map(f64::to_le_bytes);
        peer.write_all(&[x, y].concat())?;
        for number in &mut inputs[1] {
            *number = f64::from_le_bytes(receive(&mut peer)?);
        }
        // Apply the inputs in the same order at both peers.
        inputs.rotate_left(player);
        flow.edit(&Brush::smooth_disc(inputs[0], 4.0), Edit::Pour(Amount::Depth(0.2)))?;
        flow.edit(&Brush::smooth_disc(inputs[1], 3.0), Edit::Lower(Change::By(0.1)))?;
        flow.advance(1.0 / 30.0)?;
        let hash = flow.state_hash();
        peer.write_all(&hash.to_le_bytes())?;
        let theirs = u64::from_le_bytes(receive(&mut peer)?);
        if hash != theirs {
            return Err(format!("tick {tick}: {hash:016x} here, {theirs:016x} there").into());
        }
    }
    Ok(flow.state_hash())
}

fn receive(peer: &mut TcpStream) -> Outcome<[u8; 8]> {
    let mut bytes = [0; 8];
    peer.read_exact(&mut bytes)?;
    Ok(bytes)
}
