// The module QuartzCore: the geometry and the tree of layers, and the clock of the screen. Nothing is drawn and nothing moves, so what
// only drawing needs is absent by name. Coverage.md lists it.
@_exported import CoreVideo
@_exported import Foundation

/// Returns the seconds since the machine started, without those it slept: the clock of `CMClockGetHostTimeClock()`.
public func CACurrentMediaTime() -> CFTimeInterval { ProcessInfo.processInfo.systemUptime }
