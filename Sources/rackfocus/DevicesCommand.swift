import RackfocusKit

/// `rackfocus devices`: the GPUs that can render, and the cameras an app finds.
struct DevicesCommand: Command {
    static let help = Help(
        name: "devices",
        summary: "List the Vulkan devices that can render the lens, and the camera profiles.",
        usage: "devices",
        discussion: """
            The first device is the one used by default: a real GPU first, else software (lavapipe). `--gpu` of the other
            commands takes the number or a part of the name.
            """,
        options: [.init("--help", "-h", meaning: "this text")],
        example: "rackfocus devices")

    init(_ arguments: inout Arguments) throws { try arguments.finish() }

    func run() throws {
        print("Vulkan devices:")
        for device in try VulkanBokehRenderer.devices() {
            print("  \(device.index)  \(device.name) (\(device.type.rawValue), driver \(device.driverVersion))")
        }
        print("Camera profiles:")
        for camera in CameraProfile.iPhone14 + CameraProfile.iPhone17Pro + CameraProfile.externalCamera {
            print("  \(camera.uniqueID)  \(camera.name), \(camera.modelID)")
        }
    }
}
