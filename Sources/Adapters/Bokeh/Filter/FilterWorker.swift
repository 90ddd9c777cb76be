import Foundation
import Support

/// The process that runs a user's filter, so that what a shader of a stranger's does (a wild access, a loop without end) ends this process alone.
///
/// Its standard input is a `FilterChannel` to the lens, its standard output the memory of the picture. It is told what to do (`Task`), answers with
/// an empty message, or with what is wrong; after that, each number of a picture is answered so. It ends with its parent.
public enum FilterWorker {
    /// The argument with which the tool becomes a worker.
    public static let argument = "--filter-worker"

    /// Task of a worker: the shader, the geometry of its pictures and the device.
    struct Task: Codable {
        let words: [UInt32]
        let name: String
        let geometry: PictureGeometry
        /// Index of the device in `VulkanBokehRenderer.devices()`.
        let device: Int
        let validation: Bool
    }

    /// Serves until the parent has no more pictures or ends.
    public static func run() -> Never {
        let channel = FilterChannel(socket: dup(STDIN_FILENO))
        // A shader that never ends keeps the main thread waiting; its parent's end is seen here.
        let parent = FilterChannel(socket: dup(STDIN_FILENO))
        nonisolated(unsafe) let end = parent
        Thread.detach(named: "parent") {
            end.waitForEnd()
            _exit(0)
        }
        do { try serve(channel) } catch is FilterChannel.Failure {} catch {
            try? channel.send(Data("\(error)".utf8))
        }
        _exit(0)
    }

    private static func serve(_ channel: FilterChannel) throws {
        let task = try JSONDecoder().decode(Task.self, from: channel.receive(within: nil))
        let memory = try SharedMemory(descriptor: dup(STDOUT_FILENO), byteCount: task.geometry.pictureBytes)
        let context = try VulkanContext(gpu: .index(task.device), validation: task.validation, isRobust: true)
        let filter = try PictureFilter(context, task.words, name: task.name, geometry: task.geometry)
        context.savePipelines()
        try channel.send(Data())
        while true {
            let number = try channel.receive(within: nil).withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
            try filter.run(on: memory.bytes, number: number)
            try channel.send(Data((context.instance.messages?.all ?? []).joined(separator: "\n").utf8))
        }
    }
}
