import Synchronization

extension AVCaptureSession {
    /// The session's state or graph is another: its preview layers may have begun or ceased to show.
    func tellPreviews() {
        for layer in state.withLock({ $0.layers.compactMap(\.layer) }) { layer.tellPreviewing() }
    }
}
