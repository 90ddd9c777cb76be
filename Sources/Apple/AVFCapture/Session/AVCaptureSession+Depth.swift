extension AVCaptureSession {
    /// Checks that no depth output meets enabled cinematic capture, which never run together; raises where one does.
    func allowsDepth(_ selector: String) -> Bool {
        let isCinematic = inputs.contains { ($0 as? AVCaptureDeviceInput)?.isCinematicVideoCaptureEnabled ?? false }
        guard isCinematic, outputs.contains(where: { $0 is AVCaptureDepthDataOutput }) else { return true }
        environment.raise(
            .invalidArgument, selector,
            "Depth data delivery is not supported while cinematicVideoCaptureEnabled is YES - remove the AVCaptureDepthDataOutput")
        return false
    }
}
