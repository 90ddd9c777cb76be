import CoreVideo
import Foundation
import Synchronization

/// A user's filter in a process of its own (`FilterWorker`), for pictures of one size and format.
final class FilterProcess {
    private let shader: UserShader
    private let staging: PictureStaging
    private let process = Process()
    private let channel: FilterChannel
    private let memory: SharedMemory

    /// Starts the worker and has it make the shader ready. `device`: its index in `VulkanBokehRenderer.devices()`. Throws `filterFailed`.
    init(_ shader: UserShader, geometry: PictureGeometry, device: Int, validation: Bool) throws {
        self.shader = shader
        staging = PictureStaging(geometry: geometry)
        memory = try SharedMemory(byteCount: geometry.pictureBytes)
        let (channel, other) = try FilterChannel.pair()
        self.channel = channel
        try Self.start(process, input: other, output: memory.descriptor)
        let task = FilterWorker.Task(words: shader.words, name: shader.path, geometry: geometry, device: device, validation: validation)
        try ask(JSONEncoder().encode(task), "as it began")
    }

    /// The worker sees that its parent has gone, and ends.
    deinit { process.terminate() }

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
            answer = try channel.receive(within: shader.timeLimit)
        } catch {
            process.terminate()
            if error == .timedOut {
                kill(process.processIdentifier, SIGKILL)
                throw BokehError(.filterFailed, "the filter \(shader.path) did not end within \(shader.timeLimit) \(when)")
            }
            process.waitUntilExit()
            let isSignal = process.terminationReason == .uncaughtSignal
            let why = isSignal ? String(cString: strsignal(process.terminationStatus)) : "exit code \(process.terminationStatus)"
            throw BokehError(.filterFailed, "the filter \(shader.path) crashed \(when) (\(why))")
        }
        guard answer.isEmpty else {
            throw BokehError(.filterFailed, "the filter \(shader.path) failed \(when): \(String(decoding: answer, as: UTF8.self))")
        }
    }

    /// The one place where a worker is started: the tool beside the running program, or the running program where it is the tool.
    private static func start(_ process: Process, input: Int32, output: Int32) throws {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        process.executableURL = folder.appending(path: "rackfocus")
        process.arguments = [FilterWorker.argument]
        // A crash is reported by the lens, in one line.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let input = FileHandle(fileDescriptor: input, closeOnDealloc: true)
        process.standardInput = input
        process.standardOutput = FileHandle(fileDescriptor: output, closeOnDealloc: false)
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
            // The worker's end stays open in the worker alone, so that its own end is seen.
            try input.close()
        } catch {
            throw BokehError(.filterFailed, "no program \(folder.path)/rackfocus to run filters in: \(error.localizedDescription)")
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
