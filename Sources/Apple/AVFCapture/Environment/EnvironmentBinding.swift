import Synchronization

/// Environment of an object: the one that is bound when it is made, else the first that is bound when it is used.
///
/// A test's model may so be made before its phone, as a property of its suite.
final class EnvironmentBinding: Sendable {
    private let bound: Mutex<CaptureEnvironment?>

    /// Takes what is bound now, if anything is.
    init() { bound = Mutex(CaptureEnvironment.bound) }

    /// The environment of the object; one without cameras while none was bound. `onBinding` is called once, when a later one is taken.
    func environment(_ onBinding: (CaptureEnvironment) -> Void = { _ in }) -> CaptureEnvironment {
        if let bound = bound.withLock({ $0 }) { return bound }
        guard let found = CaptureEnvironment.bound else { return .current }
        let (environment, isNew) = bound.withLock { bound in
            let isNew = bound == nil
            let environment = bound ?? found
            bound = environment
            return (environment, isNew)
        }
        if isNew { onBinding(environment) }
        return environment
    }
}
