import Foundation
import Synchronization

extension AVCaptureSession {
    /// Closes a batch, and applies it where it is the outermost.
    func closeBatch() {
        let selector = "-[AVCaptureSession commitConfiguration]"
        let (wasOpen, isOutermost) = state.withLock { state in
            defer { state.configurations = max(state.configurations - 1, 0) }
            return (state.configurations > 0, state.configurations == 1)
        }
        guard wasOpen else { return environment.diagnose("commitConfiguration() without beginConfiguration(): nothing is committed") }
        guard isOutermost else { return }
        commit()
        _ = allowsMetadataTypes(selector)
        _ = allowsSoundLayouts(selector)
        if isRunning { _ = allowsDepth(selector) }
    }

    /// Follows a change of the graph: commits at once outside a batch.
    func configurationDidChange() {
        for case let output as AVCaptureMetadataOutput in outputs { output.tellAvailability() }
        for case let output as AVCapturePhotoOutput in outputs { output.settleFeatures() }
        guard state.withLock({ $0.configurations == 0 }) else { return }
        commit()
        guard isRunning else { return }
        _ = allowsMetadataTypes("-[AVCaptureSession commitConfiguration]")
        _ = allowsSoundLayouts("-[AVCaptureSession commitConfiguration]")
        _ = allowsDepth("-[AVCaptureSession commitConfiguration]")
    }

    /// Leaves format control to the app, which has chosen a format: the preset becomes `.inputPriority`.
    func deviceDidChooseFormat() {
        state.withLock { state in
            state.preset = .inputPriority
            state.presetIsDue = false
        }
        configurationDidChange()
    }

    /// Whether questions about support are for the configuration of the open batch: in one, until the session first runs.
    var answersForBatch: Bool { !environment.asksCommitsAlone && state.withLock { $0.configurations > 0 && !$0.hasRun } }

    /// Format that a device will have after the commit.
    func pendingFormat(of device: AVCaptureDevice) -> AVCaptureDevice.Format {
        let (preset, isDue) = state.withLock { ($0.preset, $0.presetIsDue) }
        return (isDue ? device.format(for: preset) : nil) ?? device.activeFormat
    }

    /// Checks metadata outputs; false, and raises, where their types differ from those that cinematic capture requires.
    func allowsMetadataTypes(_ selector: String) -> Bool {
        outputs.allSatisfy { ($0 as? AVCaptureMetadataOutput)?.allowsTypes(selector) ?? true }
    }

    private func commit() {
        let (preset, isDue, inputs, removed) = state.withLock { state in
            defer { (state.presetIsDue, state.removedInputs) = (false, []) }
            state.deferred.hasRun = false
            return (state.preset, state.presetIsDue, state.inputs.compactMap { $0 as? AVCaptureDeviceInput }, state.removedInputs)
        }
        // One that came back, here or in another session, has never left.
        for input in removed where input.session == nil { input.commit(isInSession: false) }
        for input in inputs {
            if isDue, input.device.hasMediaType(.video), let format = input.device.format(for: preset) {
                input.device.apply(format)
                if automaticallyConfiguresCaptureDeviceForWideColor { input.device.chooseColorSpace(isWide: preset == .photo) }
            }
            input.device.change { $0.controls.torchLevel = 0 }
            input.commit(isInSession: true)
        }
        // A camera that goes has no connections from here on: the steps are for the one that comes.
        stepper?.hold(self)
        defer { stepper?.release(self) }
        let (before, after) = state.withLock { state in
            let before = state.committed
            state.connections.removeAll(where: \.isDangling)
            state.layers.removeAll { $0.layer == nil }
            state.committed = state.connections
            return (before, state.committed)
        }
        GraphRevision.advance()
        for connection in before where !after.contains(where: { $0 === connection }) {
            connection.setActive(false)
            (connection.output as? AVCaptureFileOutput)?.endRecording(error: AVError(.sessionConfigurationChanged))
            (connection.output as? AVCapturePhotoOutput)?.failWaiting(because: AVError(.sessionConfigurationChanged))
        }
        for connection in after { connection.setActive(connection.canBeFed) }
        for case let output as AVCapturePhotoOutput in outputs { output.settleDepth() }
        inputsMayHaveChanged()
        tellPreviews()
        startDeferredOutputs()
    }

    // MARK: presets

    func choose(_ preset: Preset) {
        guard canSetSessionPreset(preset) else {
            return environment.raise(
                .invalidArgument, "-[AVCaptureSession setSessionPreset:]", "\(preset.rawValue) is not supported - use -canSetSessionPreset:")
        }
        state.withLock { state in
            state.preset = preset
            state.presetIsDue = preset != .inputPriority
        }
        configurationDidChange()
    }
}

extension AVCaptureDevice {
    /// Whether a format has the preset's size, to which the source's pictures are scaled; presets without a size are always supported.
    public func supportsSessionPreset(_ preset: AVCaptureSession.Preset) -> Bool {
        preset == .inputPriority || hasMediaType(.audio) || format(for: preset) != nil
    }

    /// Chooses the format of a preset: for `.high` the first format if it has 1080p or more, else the first of 1080p, else the first of all;
    /// for `.medium` and `.low` the nearest to 480 × 360 and 192 × 144 pixels; for `.photo` the largest.
    func format(for preset: AVCaptureSession.Preset) -> Format? {
        func nearest(_ area: Int) -> Format? { formats.min { abs($0.area - area) < abs($1.area - area) } }
        switch preset {
        case .high:
            if let first = formats.first, first.area >= 1920 * 1080 { return first }
            return formats.first { $0.profile.width == 1920 && $0.profile.height == 1080 } ?? formats.first
        case .medium: return nearest(480 * 360)
        case .low: return nearest(192 * 144)
        case .photo: return formats.first { format in format.area == formats.map(\.area).max() }
        default: return preset.size.flatMap { size in formats.first { $0.profile.width == size.width && $0.profile.height == size.height } }
        }
    }
}

extension AVCaptureDevice.Format {
    fileprivate var area: Int { profile.width * profile.height }
}
