/// Choice of the Vulkan device that renders.
public enum GPUChoice: Sendable, Equatable {
    /// A real GPU first: discrete, integrated, virtual, then software.
    case automatic
    /// The device's index in `VulkanBokehRenderer.devices()`.
    case index(Int)
    /// Part of the device's name, whatever its case; the first that matches.
    case name(String)

    /// Reads what a user wrote after `--gpu`: nothing or `auto`, an index, or part of a name.
    public init(_ text: String?) {
        let text = text ?? ""
        if text.isEmpty || text.lowercased() == "auto" || text.lowercased() == "automatic" {
            self = .automatic
        } else if let index = Int(text) {
            self = .index(index)
        } else {
            self = .name(text)
        }
    }

    /// The chosen one of `devices`. Throws `noDevice` or `unknownDevice`.
    func pick(from devices: [VulkanDevice]) throws -> VulkanDevice {
        guard !devices.isEmpty else {
            throw BokehError(.noDevice, "no Vulkan device: install a driver, for software rendering `apt install mesa-vulkan-drivers`")
        }
        let picked: VulkanDevice? =
            switch self {
            case .automatic: devices.min { ($0.type.rank, $0.index) < ($1.type.rank, $1.index) }
            case .index(let index): devices.first { $0.index == index }
            case .name(let name): devices.first { $0.name.lowercased().contains(name.lowercased()) }
            }
        guard let picked else {
            let list = devices.map { "  \($0.index)  \($0.name) (\($0.type.rawValue))" }.joined(separator: "\n")
            throw BokehError(.unknownDevice, "no Vulkan device matches `\(self)`; there are:\n\(list)")
        }
        return picked
    }
}

extension GPUChoice: CustomStringConvertible {
    /// The choice as a user writes it after `--gpu`.
    public var description: String {
        switch self {
        case .automatic: "auto"
        case .index(let index): "\(index)"
        case .name(let name): name
        }
    }
}

/// A device Vulkan offers.
public struct VulkanDevice: Sendable, Equatable {
    /// Kind of device, as Vulkan's `VkPhysicalDeviceType` tells it apart.
    public enum Kind: String, Sendable {
        case discrete, integrated, virtual, software, other

        /// Order of preference, smallest first.
        var rank: Int {
            switch self {
            case .discrete: 0
            case .integrated: 1
            case .virtual: 2
            case .software: 3
            case .other: 4
            }
        }
    }

    /// Position in `VulkanBokehRenderer.devices()`, from 0.
    public let index: Int
    /// The driver's name of the device.
    public let name: String
    /// Kind of device; a real GPU is preferred to software.
    public let type: Kind
    /// Version of the driver as its maker encodes it, for example `22.3.6`.
    public let driverVersion: String
}
