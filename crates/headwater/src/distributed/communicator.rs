//! [`Communicator`]: collective operations of the processes that share a world.

/// Collective operations of the processes that share a world, ordered from north to south. Every
/// process calls the same operations in the same order.
pub trait Communicator {
    /// Replaces each value by its maximum over all processes.
    fn allreduce_max(&mut self, values: &mut [f64]);

    /// Sends rows to the processes north and south of this one and receives theirs. Slices are
    /// empty where there is no neighbour.
    fn exchange_halos(&mut self, to: [&[f32]; 2], from: [&mut [f32]; 2]);

    /// [Exchanges halos](Self::exchange_halos) while `work` runs, which must not need the rows that
    /// arrive. `work` receives a function to call now and then, because some transports progress
    /// only while they are called. The default does one after the other.
    fn exchange_halos_overlapped(
        &mut self,
        to: [&[f32]; 2],
        from: [&mut [f32]; 2],
        work: &mut dyn FnMut(&mut dyn FnMut()),
    ) {
        self.exchange_halos(to, from);
        work(&mut || {});
    }

    /// Sends bytes, of any length, to the neighbours to the north and south that exist (`beside`),
    /// and returns theirs.
    fn exchange_bytes(&mut self, beside: [bool; 2], to: [&[u8]; 2]) -> [Vec<u8>; 2];
}

/// Communicator of a process that owns the whole world.
#[derive(Clone, Copy, Debug, Default)]
pub struct SingleProcess;

impl Communicator for SingleProcess {
    fn allreduce_max(&mut self, _: &mut [f64]) {}

    fn exchange_halos(&mut self, _: [&[f32]; 2], _: [&mut [f32]; 2]) {}

    fn exchange_bytes(&mut self, _: [bool; 2], _: [&[u8]; 2]) -> [Vec<u8>; 2] {
        Default::default()
    }
}
