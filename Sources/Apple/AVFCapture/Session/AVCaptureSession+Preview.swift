import Synchronization

extension AVCaptureSession {
    /// Notifies preview layers that the session's state or graph changed: they may have begun or ceased to show.
    func tellPreviews() {
        for layer in state.withLock({ $0.layers.compactMap(\.layer) }) { layer.tellPreviewing() }
    }
}
