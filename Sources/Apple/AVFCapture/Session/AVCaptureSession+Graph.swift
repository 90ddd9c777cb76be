import Foundation
import Synchronization

extension AVCaptureSession {
    // MARK: inputs

    /// Adds an input without connecting it; raises where it cannot be added.
    public func addInputWithNoConnections(_ input: AVCaptureInput) { add(input, "addInputWithNoConnections:", connects: false) }

    /// Reason why the input cannot be added; nil where it can.
    func refusal(of input: AVCaptureInput) -> String? {
        if inputs.contains(where: { $0 === input }) { return "An AVCaptureInput instance may not be added more than once to a session" }
        if let owner = input.session, owner !== self {
            return "An AVCaptureInput instance may not be added to more than one session"
        }
        if let device = (input as? AVCaptureDeviceInput)?.device, let refusal = refusal(ofAnother: device) { return refusal }
        if let device = (input as? AVCaptureDeviceInput)?.device, !device.supportsSessionPreset(sessionPreset) {
            return "Can't add \(device.localizedName) because the device does not support \(sessionPreset.rawValue)"
                + " - Use -[AVCaptureDevice supportsAVCaptureSessionPreset:]"
        }
        return nil
    }

    private func refusal(ofAnother device: AVCaptureDevice) -> String? {
        let others = inputs.compactMap { ($0 as? AVCaptureDeviceInput)?.device }.filter { $0.mediaType == device.mediaType }
        guard !others.isEmpty else { return nil }
        guard self is AVCaptureMultiCamSession, device.mediaType == .video else {
            return "Multiple audio/video AVCaptureInputs are not currently supported"
        }
        guard others.count < AVCaptureMultiCamSession.mostCameras, others.allSatisfy(device.canRunBeside) else {
            return "\(device.localizedName) cannot run at once with \(others.map(\.localizedName).joined(separator: ", "))"
                + " - Use -[AVCaptureDeviceDiscoverySession supportedMultiCamDeviceSets]"
        }
        return nil
    }

    func add(_ input: AVCaptureInput, _ selector: String, connects: Bool) {
        guard isOfThisPhone("-[AVCaptureSession \(selector)]") else { return }
        if let refusal = refusal(of: input) {
            return environment.raise(.invalidArgument, "-[AVCaptureSession \(selector)]", refusal)
        }
        input.join(self)
        state.withLock { state in
            state.inputs.append(input)
            state.presetIsDue = true
            if connects { Self.connect(input, in: &state) }
        }
        if let device = (input as? AVCaptureDeviceInput)?.device {
            device.change { ($0.minFrameDuration, $0.maxFrameDuration) = (nil, nil) }
            if self is AVCaptureMultiCamSession, !device.activeFormat.isMultiCamSupported,
                let format = device.modes.first(where: \.isMultiCamSupported)
            {
                device.apply(format)
            }
        }
        configurationDidChange()
    }

    func remove(_ input: AVCaptureInput) {
        let isHere = state.withLock { state in
            guard let index = state.inputs.firstIndex(where: { $0 === input }) else { return false }
            state.inputs.remove(at: index)
            if let input = input as? AVCaptureDeviceInput { state.removedInputs.append(input) }
            state.connections.removeAll { $0.inputPorts.contains { $0.input === input } }
            return true
        }
        guard isHere else { return }
        input.join(nil)
        configurationDidChange()
    }

    // MARK: outputs

    /// Adds an output without connecting it; raises where it cannot be added.
    public func addOutputWithNoConnections(_ output: AVCaptureOutput) { add(output, "addOutputWithNoConnections:", connects: false) }

    /// Reason why the output cannot be added; nil where it can.
    func refusal(of output: AVCaptureOutput) -> String? {
        if outputs.contains(where: { $0 === output }) { return "An AVCaptureOutput instance may not be added more than once to a session" }
        if output.session != nil { return "An AVCaptureOutput instance may not be added to more than one session" }
        if self is AVCaptureMultiCamSession { return nil }
        if let output = output as? AVCaptureAudioDataOutput { return refusal(ofAnother: output) }
        if output is AVCapturePhotoOutput, outputs.contains(where: { $0 is AVCapturePhotoOutput }) {
            return "Can't add \(output) because more than one output of photos is unsupported"
        }
        if !(output is AVCaptureVideoDataOutput), outputs.contains(where: { type(of: $0) == type(of: output) }) {
            return "Can't add \(output) because more than one output of the same type is unsupported"
        }
        return nil
    }

    func add(_ output: AVCaptureOutput, _ selector: String, connects: Bool) {
        if let refusal = refusal(of: output) {
            return environment.raise(.invalidArgument, "-[AVCaptureSession \(selector)]", refusal)
        }
        output.join(self)
        state.withLock { state in
            state.outputs.append(output)
            if connects { Self.connect(output, in: &state) }
        }
        configurationDidChange()
    }

    func remove(_ output: AVCaptureOutput) {
        let isHere = state.withLock { state in
            guard let index = state.outputs.firstIndex(where: { $0 === output }) else { return false }
            state.outputs.remove(at: index)
            state.connections.removeAll { $0.output === output }
            return true
        }
        guard isHere else { return }
        output.join(nil)
        configurationDidChange()
    }

    // MARK: connections

    /// Whether both ends are in the session, fit each other and are not connected yet.
    public func canAddConnection(_ connection: AVCaptureConnection) -> Bool { refusal(of: connection) == nil }

    /// Adds a connection; raises where `canAddConnection(_:)` is false.
    public func addConnection(_ connection: AVCaptureConnection) {
        if let refusal = refusal(of: connection) {
            return environment.raise(.invalidArgument, "-[AVCaptureSession addConnection:]", refusal)
        }
        state.withLock { $0.connections.append(connection) }
        configurationDidChange()
    }

    /// Removes a connection; does nothing with one that is not in this session.
    public func removeConnection(_ connection: AVCaptureConnection) {
        state.withLock { $0.connections.removeAll { $0 === connection } }
        configurationDidChange()
    }

    private func refusal(of connection: AVCaptureConnection) -> String? {
        let state = state.withLock { $0 }
        if state.connections.contains(where: { $0 === connection }) { return "the connection is already in the session" }
        let ports = connection.inputPorts
        guard !ports.isEmpty, ports.allSatisfy({ port in state.inputs.contains { $0 === port.input } }) else {
            return "the connection's input is not in the session"
        }
        if let output = connection.output {
            guard state.outputs.contains(where: { $0 === output }) else { return "the connection's output is not in the session" }
            // An app may name all ports of an input: what the output does not take is passed over.
            guard let taken = ports.first(where: output.takes) else { return "the output does not take the port's media" }
            return Self.isConnected(taken, to: output, in: state) ? "the port is already connected to the output" : nil
        }
        guard let layer = connection.videoPreviewLayer, state.layers.contains(where: { $0.layer === layer }) else {
            return "the connection's preview layer does not show the session"
        }
        guard ports.count == 1, ports[0].mediaType == .video else { return "a preview layer takes one video port" }
        return state.connections.contains { $0.videoPreviewLayer === layer } ? "the preview layer is already connected" : nil
    }

    // MARK: forming connections

    /// Connects every port to every output that takes it and is not connected; a preview layer gets the first video port.
    private static func connect(_ input: AVCaptureInput, in state: inout State) {
        for port in input.ports {
            for output in state.outputs where output.takes(port) && !isConnected(port, to: output, in: state) {
                state.connections.append(AVCaptureConnection(inputPorts: [port], output: output))
            }
        }
        for slot in state.layers { connect(slot, in: &state) }
    }

    private static func connect(_ output: AVCaptureOutput, in state: inout State) {
        for port in state.inputs.flatMap(\.ports) where output.takes(port) && !isConnected(port, to: output, in: state) {
            state.connections.append(AVCaptureConnection(inputPorts: [port], output: output))
        }
    }

    private static func connect(_ slot: PreviewSlot, in state: inout State) {
        guard slot.connects, let layer = slot.layer, !state.connections.contains(where: { $0.videoPreviewLayer === layer }),
            let port = state.inputs.flatMap(\.ports).first(where: { $0.mediaType == .video })
        else { return }
        state.connections.append(AVCaptureConnection(inputPort: port, videoPreviewLayer: layer))
    }

    private static func isConnected(_ port: AVCaptureInput.Port, to output: AVCaptureOutput, in state: State) -> Bool {
        // Pictures, maps and objects are of one camera.
        let isOfOne = [.video, .depthData, .metadataObject].contains(port.mediaType)
        return state.connections.contains { connection in
            connection.output === output && connection.inputPorts.contains { $0 === port || isOfOne && $0.mediaType == port.mediaType }
        }
    }

    func add(_ layer: AVCaptureVideoPreviewLayer, connects: Bool) {
        state.withLock { state in
            let slot = PreviewSlot(layer: layer, connects: connects)
            state.layers.append(slot)
            Self.connect(slot, in: &state)
        }
        configurationDidChange()
    }

    func remove(_ layer: AVCaptureVideoPreviewLayer) {
        state.withLock { state in
            state.layers.removeAll { $0.layer === layer || $0.layer == nil }
            state.connections.removeAll { $0.videoPreviewLayer === layer }
        }
        configurationDidChange()
    }
}
