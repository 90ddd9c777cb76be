import Foundation

/// Whether `condition` comes to hold within `seconds` of real time; it is asked every millisecond. The one way in which tests wait for other
/// threads and processes that give no signal. Throws what `condition` throws.
public func eventually(within seconds: Double = 20, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while try !condition() {
        guard ContinuousClock.now < deadline else { return false }
        usleep(1000)
    }
    return true
}
