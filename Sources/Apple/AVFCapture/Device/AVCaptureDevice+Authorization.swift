import Foundation

extension AVCaptureDevice {
    /// Whether the app may use cameras or microphones; raises for media other than `.video` and `.audio`, and returns denied.
    public class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
        let environment = CaptureEnvironment.current
        guard isAskable(mediaType, "authorizationStatusForMediaType:", environment) else { return .denied }
        return environment.conditions.authorization(for: mediaType)
    }

    /// Asks the user, once; afterwards repeats the decision. Raises for media other than `.video` and `.audio`.
    /// The handler is called on a queue of the system's.
    @preconcurrency
    public class func requestAccess(for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void) {
        let environment = CaptureEnvironment.current
        guard isAskable(mediaType, "requestAccessForMediaType:completionHandler:", environment) else { return }
        environment.conditions.ask(for: mediaType) { isGranted in DispatchQueue.global().async { handler(isGranted) } }
    }

    /// Asks the user, once, and returns the decision; raises for media other than `.video` and `.audio`, and returns false.
    @discardableResult
    public class func requestAccess(for mediaType: AVMediaType) async -> Bool {
        let environment = CaptureEnvironment.current
        guard isAskable(mediaType, "requestAccessForMediaType:completionHandler:", environment) else { return false }
        return await withCheckedContinuation { continuation in
            environment.conditions.ask(for: mediaType) { continuation.resume(returning: $0) }
        }
    }

    private class func isAskable(_ mediaType: AVMediaType, _ selector: String, _ environment: CaptureEnvironment) -> Bool {
        if mediaType == .video || mediaType == .audio { return true }
        environment.raise(.invalidArgument, "+[AVCaptureDevice \(selector)]", "only video and audio are supported")
        return false
    }
}
