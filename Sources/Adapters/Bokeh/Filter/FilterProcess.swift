import CoreVideo
import Foundation
import Support
import Synchronization

/// A user's filter in a process of its own (`FilterWorker`), for pictures of one size and format.
final class FilterProcess {
    private let shader: UserShader
    private let staging: PictureStaging
    private let process: ChildProcess
    private let channel: FilterChannel
    private let memory: SharedMemory

    /// Starts the worker and has it make the shader ready. `device`: its index in `VulkanBokehRenderer.devices()`. Throws `filterFailed`.
    init(_ shader: UserShader, geometry: PictureGeometry, device: Int, validation: Bool) throws {
        self.shader = shader
        staging = PictureStaging(geometry: geometry)
        memory = try SharedMemory(byteCount: geometry.pictureBytes)
        let (channel, other) = try FilterChannel.pair()
        self.channel = channel
        // The worker's end stays open in the worker alone, so that its own end is seen.
        defer { close(other) }
        process = try Self.start(input: other, output: memory.descriptor)
        let task = FilterWorker.Task(words: shader.words, name: shader.path, geometry: geometry, device: device, validation: validation)
        try ask(JSONEncoder().encode(task), "as it began")
    }

    /// Filters the picture in place, which is the `number`th from 0. Throws `filterFailed` and leaves it as it is when the filter crashes or does not
    /// end within the shader's time limit; the process has ended then.
    func filter(_ picture: CVPixelBuffer, number: Int32) throws {
        staging.copy(picture, to: memory.bytes)
        try ask(withUnsafeBytes(of: number) { Data($0) }, "in picture \(number)")
        staging.copy(memory.bytes, to: picture)
    }

    private func ask(_ message: Data, _ when: String) throws {
        let answer: Data
        do {
            try channel.send(message)
            answer = try channel.receive(within: UserShader.timeLimit)
        } catch {
            if error == .timedOut {
                process.kill()
                throw BokehError(.filterFailed, "the filter \(shader.path) did not end within \(UserShader.timeLimit) \(when)")
            }
            let why =
                switch process.wait() {
                case .signal(let number): String(cString: strsignal(number))
                case .exited(let code): "exit code \(code)"
                }
            throw BokehError(.filterFailed, "the filter \(shader.path) crashed \(when) (\(why))")
        }
        guard answer.isEmpty else {
            throw BokehError(.filterFailed, "the filter \(shader.path) failed \(when): \(String(decoding: answer, as: UTF8.self))")
        }
    }

    /// Starts a worker: the tool beside the running program, or the running program where it is the tool.
    private static func start(input: Int32, output: Int32) throws -> ChildProcess {
        let program = ChildProcess.runningProgram.deletingLastPathComponent().appending(path: "rackfocus").path
        let nowhere = SystemCall.repeated { open("/dev/null", O_RDWR | O_CLOEXEC) }
        defer { close(nowhere) }
        do {
            // A crash is reported by the lens, in one line.
            return try ChildProcess(
                program, [FilterWorker.argument], environment: ["SWIFT_BACKTRACE": "enable=no"], input: input, output: output, errors: nowhere)
        } catch {
            throw BokehError(.filterFailed, "no program to run filters in: \(error)")
        }
    }
}

/// The user's filter of a lens: starts a `FilterProcess` for the first picture and for each change of size, and none after a failure.
final class FilterStage: Sendable {
    private let shader: UserShader
    private let device: Int
    private let validation: Bool
    private let state = Mutex(State())

    private struct State: ~Copyable {
        var process: FilterProcess?
        var geometry: PictureGeometry?
        var failure: BokehError?
    }

    init(_ shader: UserShader, device: Int, validation: Bool) {
        self.shader = shader
        self.device = device
        self.validation = validation
    }

    /// Why pictures are no longer filtered; nil while they are.
    var failure: BokehError? { state.withLock { $0.failure } }

    /// Filters the picture in place; leaves it as it is after the first failure.
    func apply(to picture: CVPixelBuffer, geometry: PictureGeometry, number: Int32) {
        state.withLock { state in
            guard state.failure == nil else { return }
            do {
                if state.geometry != geometry {
                    state.process = nil
                    state.process = try FilterProcess(shader, geometry: geometry, device: device, validation: validation)
                    state.geometry = geometry
                }
                try state.process?.filter(picture, number: number)
            } catch {
                state.process = nil
                state.failure = error as? BokehError ?? BokehError(.filterFailed, "the filter \(shader.path) failed: \(error)")
            }
        }
    }
}
