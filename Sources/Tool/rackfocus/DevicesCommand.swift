import RackfocusKit
import Support

/// `rackfocus devices`: the GPUs that can render, the cameras plugged in, and the phones whose cameras an app finds.
struct DevicesCommand: Command {
    static let help = Help(
        name: "devices",
        summary: "List the Vulkan devices that can render the lens, the cameras plugged in, and the phones with their cameras.",
        usage: "devices",
        discussion: """
            The first device is the one used by default: a real GPU first, else software (lavapipe). `--gpu` of the other
            commands takes the number or a part of the name. Of each camera the formats are listed, what it can do for cinematic
            capture and what it lacks; `rackfocus record` films with it.
            """,
        options: [.init("--help", "-h", meaning: "this text")],
        example: "rackfocus devices")

    init(_ arguments: inout Arguments) throws { try arguments.finish() }

    func run() throws {
        StandardOutput.print("Vulkan devices:")
        for device in try VulkanBokehRenderer.devices() {
            StandardOutput.print("  \(device.index)  \(device.name) (\(device.type.rawValue), driver \(device.driverVersion))")
        }
        StandardOutput.print(CameraList.text)
        StandardOutput.print("Phones (`device: {phone: NAME}` in a scenario, --phone NAME of render and test):")
        for phone in CameraProfile.Phone.shipped {
            StandardOutput.print("  \(phone.name)  \(phone.model)")
            for camera in phone.devices {
                StandardOutput.print("    \(camera.uniqueID)  \(camera.name)\(phone.cinematicCameras.contains(camera) ? ", cinematic" : "")")
            }
        }
    }
}
