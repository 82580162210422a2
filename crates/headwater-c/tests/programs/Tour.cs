// Test program in C#, equivalent to the one in C. If it is called with a scene and a number of
// steps, it prints the state hash of the scene.

using System;
using System.Linq;
using Headwater;

static class Tour {
  static int failures;

  static void Check(bool good, string what) {
    if (!good) {
      Console.Error.WriteLine(what);
      failures += 1;
    }
  }

  static HeadwaterException Refused(Action call) {
    try {
      call();
    } catch (HeadwaterException error) {
      return error;
    }
    Check(false, "a call is not refused");
    throw new InvalidOperationException();
  }

  static void RunTour() {
    using (var world = World.Library("dam-breach"))
    using (var other = World.Library("dam-breach")) {
      var grid = world.Grid;
      var bed = new float[grid.Nx * grid.Ny];
      var fresh = new float[bed.Length];
      world.ReadLayer("bed", bed);
      var stamp = new Stamp();
      Check(world.Changed("bed", ref stamp).Length > 1, "all has changed at first");
      world.Edit("lower", 200, 150, 12, 3, "smooth");
      var tiles = world.Changed("bed", ref stamp);
      Check(tiles.Length > 0 && tiles[0].Nx > 0, "an edit changes tiles");
      world.ReadLayer("bed", bed, tiles);
      world.ReadLayer("bed", fresh);
      Check(bed.SequenceEqual(fresh), "a layer is brought up to date by its tiles");

      var spring = world.AddSpring(200, 150, 5, 2);
      Check(world.Advance(2).Done && world.Time >= 2, "an advance arrives");
      world.RemoveSpring(spring);
      Check(!world.Advance(2, (time, steps, part) => part < 0.5).Done, "an advance is stopped");
      try {
        world.Advance(2, (time, steps, part) => { throw new FormatException("enough"); });
        Check(false, "what a callback throws is lost");
      } catch (FormatException error) {
        Check(error.Message == "enough", "what a callback throws comes out");
      }
      Check(Refused(() => world.Advance(2, (time, steps, part) => world.StateHash != 0)).Status == Status.Busy,
        "a world is busy in a callback");

      var bytes = world.Snapshot();
      other.Restore(bytes);
      Check(other.StateHash == world.StateHash, "a loaded world is the saved one");
      world.Step(20);
      other.Step(20);
      Check(other.StateHash == world.StateHash, "a loaded world goes on as the saved one");
      bytes[bytes.Length / 2] ^= 1;
      Check(Refused(() => other.Restore(bytes)).Status == Status.Snapshot, "damaged bytes");

      var error1 = Refused(() => world.Edit("lover", 1, 1, 1, 1));
      Check(error1.Found == "\"lover\"" && error1.Allowed.Contains("lower"), error1.Message);
      Check(Refused(() => world.Edit("lower", double.NaN, 1, 1, 1)).Status == Status.Input, "no place");
      Check(Refused(() => world.ReadLayer("depth", new float[3])).Found == "3", "a short array");
      Check(Refused(() => world.ReadLayer("depth", null)).Status == Status.Input, "no array");
      Check(Refused(() => World.Library("nowhere")).Allowed.Contains("dam-breach"), "no scene");
      world.Dispose();
      Check(Refused(() => world.Advance(1)).Status == Status.NoWorld, "a world that was disposed of");
    }
  }

  static int Main(string[] args) {
    if (args.Length == 2) {
      using (var world = World.Library(args[0])) {
        world.Step(ulong.Parse(args[1]));
        Console.WriteLine("{{\"scene\":\"{0}\",\"steps\":{1},\"hash\":\"{2:x16}\",\"seconds\":0}}", args[0], world.Steps, world.StateHash);
      }
      return 0;
    }
    RunTour();
    if (failures == 0) {
      Console.WriteLine("C#: all is well");
    }
    return failures;
  }
}
