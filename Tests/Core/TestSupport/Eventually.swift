import Foundation

/// Seconds that tests wait for what other threads and processes do: many times what it takes where nothing else runs, as the whole suite may take the
/// processors for minutes. Only a test that fails waits so long.
public let patience = 300.0

/// Whether `condition` comes to hold within `seconds` of real time; it is asked every millisecond. The one way in which tests wait for other
/// threads and processes that give no signal. Throws what `condition` throws.
public func eventually(within seconds: Double = patience, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while try !condition() {
        guard ContinuousClock.now < deadline else { return false }
        usleep(1000)
    }
    return true
}
