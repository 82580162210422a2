// Headwater for C#, Unity and Godot .NET: the C library by P/Invoke, on Mono, .NET and IL2CPP.
// Failures are exceptions. An exception of a callback is rethrown by the call that the callback was
// passed to, and never crosses the library. A program needs the shared library in addition to this
// file: libheadwater_c.so, headwater_c.dll or libheadwater_c.dylib.

using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Headwater {

public enum Status { Ok, Scene, Input, Snapshot, Broken, NoWorld, Busy, TooSmall, Panicked }

/// <summary>Failure of a call of the library, with the error message and its parts.</summary>
public sealed class HeadwaterException : Exception {
  public readonly Status Status;
  public readonly string Key, Found, Allowed;

  internal HeadwaterException(Status status) : base(Part(0)) {
    Status = status;
    Key = Part(1);
    Found = Part(2);
    Allowed = Part(3);
  }

  static string Part(int part) {
    UIntPtr length;
    Native.hw_last_error(part, null, UIntPtr.Zero, out length);
    var bytes = new byte[(int)length + 1];
    Native.hw_last_error(part, bytes, (UIntPtr)bytes.Length, out length);
    return Encoding.UTF8.GetString(bytes, 0, (int)length);
  }
}

/// <summary>Rectangle of cells: columns X to X + Nx - 1, rows Y to Y + Ny - 1.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct Tile {
  UIntPtr x, y, nx, ny;
  public int X { get { return (int)x; } }
  public int Y { get { return (int)y; } }
  public int Nx { get { return (int)nx; } }
  public int Ny { get { return (int)ny; } }
}

/// <summary>Point in the change history of a world, for queries of later changes. A new stamp
/// precedes all changes.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct Stamp {
  ulong state, count;
}

[StructLayout(LayoutKind.Sequential)]
public struct AdvanceOutcome {
  public ulong Steps;
  public double Time;
  int done;
  public bool Done { get { return done != 0; } }
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct Grid {
  UIntPtr nx, ny;
  public double CellX, CellY;
  fixed byte lattice[16];
  public int Nx { get { return (int)nx; } }
  public int Ny { get { return (int)ny; } }
}

/// <summary>Progress callback of a call that advances a world. It returns false to stop the call,
/// and may throw.</summary>
public delegate bool ProgressCallback(double time, ulong steps, double part);

/// <summary>World of any model. It may be used by one thread at a time.</summary>
public sealed class World : IDisposable {
  ulong handle;

  World(ulong handle) { this.handle = handle; }

  /// <summary>Creates a world from the built-in scene with the given name.</summary>
  public static World Library(string name) { return Create(name, null, null); }

  /// <summary>Creates a world from a scene file. If confined is true, the scene can read only
  /// files in its own folder.</summary>
  public static World File(string path, bool confined = false) {
    return Create(null, path, null, confined);
  }

  /// <summary>Creates a world from a scene given as a TOML string.</summary>
  public static World FromText(string text) { return Create(null, null, text); }

  static World Create(string library, string file, string text, bool confined = false) {
    using (var texts = new Texts()) {
      var description = new Native.Description();
      description.size = (UIntPtr)Marshal.SizeOf(typeof(Native.Description));
      description.library = texts.Add(library);
      description.file = texts.Add(file);
      description.text = texts.Add(text);
      description.confined = confined ? 1u : 0u;
      ulong handle;
      Check(Native.hw_create(ref description, out handle));
      return new World(handle);
    }
  }

  public void Dispose() {
    if (handle != 0 && Native.hw_destroy(handle) == Status.Ok) {
      handle = 0;
    }
    GC.SuppressFinalize(this);
  }

  ~World() { Dispose(); }

  /// <summary>Advances the world by a duration, in its unit of time.</summary>
  public AdvanceOutcome Advance(double time, ProgressCallback progress = null) {
    return WithCallback(progress, (Native.ProgressCallback callback, out AdvanceOutcome outcome) =>
      Native.hw_advance(handle, time, callback, IntPtr.Zero, out outcome));
  }

  /// <summary>Performs a number of time steps.</summary>
  public AdvanceOutcome Step(ulong count, ProgressCallback progress = null) {
    return WithCallback(progress, (Native.ProgressCallback callback, out AdvanceOutcome outcome) =>
      Native.hw_step(handle, count, callback, IntPtr.Zero, out outcome));
  }

  delegate Status Call(Native.ProgressCallback callback, out AdvanceOutcome outcome);

  static AdvanceOutcome WithCallback(ProgressCallback progress, Call call) {
    ExceptionDispatchInfo thrown = null;
    Native.ProgressCallback callback = null;
    if (progress != null) {
      callback = (user, time, steps, part) => {
        try {
          return progress(time, steps, part) ? 1 : 0;
        } catch (Exception error) {
          thrown = ExceptionDispatchInfo.Capture(error);
          return 0;
        }
      };
    }
    AdvanceOutcome outcome;
    var status = call(callback, out outcome);
    GC.KeepAlive(callback);
    if (thrown != null) {
      thrown.Throw();
    }
    Check(status);
    return outcome;
  }

  public Grid Grid {
    get {
      Grid grid;
      Check(Native.hw_grid(handle, out grid));
      return grid;
    }
  }

  public double Time {
    get {
      double time;
      Check(Native.hw_time(handle, out time));
      return time;
    }
  }

  public ulong Steps {
    get {
      ulong steps;
      Check(Native.hw_steps(handle, out steps));
      return steps;
    }
  }

  public ulong StateHash {
    get {
      ulong hash;
      Check(Native.hw_state_hash(handle, out hash));
      return hash;
    }
  }

  /// <summary>Copies a layer into an array of Nx · Ny values, row by row.</summary>
  public void ReadLayer(string name, float[] into, Tile[] tiles = null) {
    if (tiles != null && tiles.Length == 0) {
      return;
    }
    Check(Native.hw_read_layer(handle, Utf8(name), tiles, (UIntPtr)(tiles == null ? 0 : tiles.Length), into,
      (UIntPtr)(into == null ? 0 : into.Length)));
  }

  /// <summary>Returns the tiles in which a layer may have changed since a stamp, and updates the
  /// stamp.</summary>
  public Tile[] Changed(string name, ref Stamp stamp) {
    UIntPtr count;
    var tiles = new Tile[0];
    var status = Native.hw_changed(handle, Utf8(name), ref stamp, tiles, UIntPtr.Zero, out count);
    while (status == Status.TooSmall) {
      tiles = new Tile[(int)count];
      status = Native.hw_changed(handle, Utf8(name), ref stamp, tiles, count, out count);
    }
    Check(status);
    Array.Resize(ref tiles, (int)count);
    return tiles;
  }

  /// <summary>Applies an edit to the cells in a disc.</summary>
  public void Edit(string edit, double x, double y, double radius, double amount, string falloff = "flat") {
    Place(x, y, radius, falloff, (ref Native.Place place) =>
      Check(Native.hw_edit(handle, Utf8(edit), ref place, amount)));
  }

  /// <summary>Adds a spring that covers a disc, and returns its id.</summary>
  public uint AddSpring(double x, double y, double radius, double rate) {
    uint id = 0;
    Place(x, y, radius, "flat", (ref Native.Place place) =>
      Check(Native.hw_add_spring(handle, ref place, rate, out id)));
    return id;
  }

  public void RemoveSpring(uint id) { Check(Native.hw_remove_spring(handle, id)); }

  /// <summary>Applies an event, given as a TOML string with the keys of an [[event]].</summary>
  public void Act(string entry) { Check(Native.hw_act(handle, Utf8(entry))); }

  /// <summary>Changes the value of a parameter of the scene.</summary>
  public void Set(string key, string value) { Check(Native.hw_set(handle, Utf8(key), Utf8(value))); }

  public byte[] Snapshot() {
    UIntPtr length;
    var bytes = new byte[0];
    var status = Native.hw_snapshot(handle, bytes, UIntPtr.Zero, out length);
    while (status == Status.TooSmall) {
      bytes = new byte[(int)length];
      status = Native.hw_snapshot(handle, bytes, length, out length);
    }
    Check(status);
    return bytes;
  }

  public void Restore(byte[] bytes) { Check(Native.hw_restore(handle, bytes, (UIntPtr)bytes.Length)); }

  delegate void At(ref Native.Place place);

  static void Place(double x, double y, double radius, string falloff, At act) {
    var center = GCHandle.Alloc(new[] { x, y }, GCHandleType.Pinned);
    try {
      using (var texts = new Texts()) {
        var place = new Native.Place();
        place.size = (UIntPtr)Marshal.SizeOf(typeof(Native.Place));
        place.kind = texts.Add("disc");
        place.points = center.AddrOfPinnedObject();
        place.pointCount = (UIntPtr)1;
        place.extent = radius;
        place.falloff = texts.Add(falloff);
        act(ref place);
      }
    } finally {
      center.Free();
    }
  }

  static void Check(Status status) {
    if (status != Status.Ok) {
      throw new HeadwaterException(status);
    }
  }

  // Encodes a string as UTF-8 with a terminating NUL.
  static byte[] Utf8(string text) { return text == null ? null : Encoding.UTF8.GetBytes(text + "\0"); }

  // Strings that are pinned in memory for the duration of a call.
  sealed class Texts : IDisposable {
    readonly List<GCHandle> pinned = new List<GCHandle>();

    public IntPtr Add(string text) {
      if (text == null) {
        return IntPtr.Zero;
      }
      var handle = GCHandle.Alloc(Utf8(text), GCHandleType.Pinned);
      pinned.Add(handle);
      return handle.AddrOfPinnedObject();
    }

    public void Dispose() { pinned.ForEach(handle => handle.Free()); }
  }
}

static class Native {
  const string Lib = "headwater_c";

  [StructLayout(LayoutKind.Sequential)]
  internal struct Description {
    public UIntPtr size;
    public IntPtr library, file, text, name, directory, overrides;
    public UIntPtr overrideCount;
    public IntPtr files;
    public UIntPtr fileCount;
    public uint confined;
    public ulong memoryLimit;
  }

  [StructLayout(LayoutKind.Sequential)]
  internal struct Place {
    public UIntPtr size;
    public IntPtr kind, points;
    public UIntPtr pointCount;
    public double extent;
    public IntPtr falloff;
  }

  [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
  internal delegate int ProgressCallback(IntPtr user, double time, ulong steps, double part);

  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_last_error(int part, byte[] buffer, UIntPtr capacity, out UIntPtr length);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_create(ref Description description, out ulong world);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_destroy(ulong world);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_advance(ulong world, double time, ProgressCallback progress, IntPtr user, out AdvanceOutcome outcome);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_step(ulong world, ulong count, ProgressCallback progress, IntPtr user, out AdvanceOutcome outcome);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_grid(ulong world, out Grid grid);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_time(ulong world, out double time);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_steps(ulong world, out ulong steps);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_state_hash(ulong world, out ulong hash);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_read_layer(ulong world, byte[] name, [In] Tile[] tiles, UIntPtr tileCount, [In, Out] float[] into,
    UIntPtr length);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_changed(ulong world, byte[] name, ref Stamp stamp, [In, Out] Tile[] into, UIntPtr capacity,
    out UIntPtr count);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_edit(ulong world, byte[] edit, ref Place place, double amount);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_add_spring(ulong world, ref Place place, double rate, out uint id);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_remove_spring(ulong world, uint id);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_act(ulong world, byte[] entry);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_set(ulong world, byte[] key, byte[] value);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_snapshot(ulong world, [In, Out] byte[] buffer, UIntPtr capacity, out UIntPtr length);
  [DllImport(Lib, CallingConvention = CallingConvention.Cdecl)]
  internal static extern Status hw_restore(ulong world, [In] byte[] bytes, UIntPtr length);
}

}
