import AVFoundation

// An actor derived from NSObject, which Swift does not link on Linux by itself: `make linking` builds and runs this in debug and release, with the
// standard library as a shared and as a static one.

/// Counter of frames, on the queue that delivers them.
actor Counter: NSObject {
    private let queue = DispatchSerialQueue(label: "frames")
    private var count = 0
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func add() -> Int {
        count += 1
        return count
    }

    /// Adds from the queue itself, as a delegate does.
    nonisolated func addOnQueue() -> Int { queue.sync { assumeIsolated { $0.add() } } }
}

let counter = Counter()
let first = await counter.add()
let object: NSObject = counter
precondition(first == 1 && counter.addOnQueue() == 2, "the actor counts wrongly")
precondition(object.isEqual(counter) && !object.isEqual(Counter()) && object.hash == counter.hash, "the actor is no NSObject")
print("an actor derived from NSObject links and runs")
