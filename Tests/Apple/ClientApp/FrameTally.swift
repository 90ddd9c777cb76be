import AVFoundation

/// Counter on a queue of its own, reached from the queue without waiting.
public actor FrameTally: NSObject {
    private let queue = DispatchSerialQueue(label: "app.tally")
    nonisolated public var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
    public private(set) var count = 0

    public override init() { super.init() }

    nonisolated public func add(_ frames: Int) {
        queue.sync { assumeIsolated { $0.count += frames } }
    }
}
