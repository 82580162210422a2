// Steps that may have been too long: of a batch that is on its way, how many were done, by the notes that they left.

@group(0) @binding(10) var<storage, read_write> guards: array<u32>;
@group(0) @binding(14) var<storage, read> schedule: array<u32>;

fn steps_done() -> u32 {
    // After one that was not done, none is.
    var least = 0u;
    var most = drawn.steps;
    while least < most {
        let middle = (least + most + 1u) / 2u;
        if guards[3u * middle + 2u] == 1u {
            least = middle;
        } else {
            most = middle - 1u;
        }
    }
    return least;
}

fn told_dt(step: u32) -> f32 { return bitcast<f32>(schedule[step * drawn.record + DT_WORD]); }
