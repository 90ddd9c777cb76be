// swift-tools-version: 6.2
import PackageDescription

// The layers, lowest first; a target imports only what it names here (checked by the build, see Makefile).

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// A module compiled as a whole and by one process in debug builds, too: an app builds its dependencies once, and this way each takes
/// three fifths to three quarters of the processor time. Debug information has lines and no variables, which saves AVFoundation another
/// twelfth; `RACKFOCUS_VARIABLES=1` brings them back.
let whole: SwiftSetting = .unsafeFlags(
    ["-disable-batch-mode", "-whole-module-optimization", "-no-emit-module-separately-wmo", "-num-threads", "2"]
        + (Context.environment["RACKFOCUS_VARIABLES"] == nil ? ["-Xfrontend", "-gline-tables-only"] : []), .when(configuration: .debug))

/// Optimised in debug builds, too: loops over pixels, which take fifty times as long without.
let optimised: SwiftSetting = .unsafeFlags(["-O"], .when(configuration: .debug))

/// The folders of Sources, which Tests mirror.
enum Folder: String {
    case apple = "Apple"
    case core = "Core"
    case adapters = "Adapters"
    case testing = "Testing"
    case tool = "Tool"

    func path(of target: String, under top: String = "Sources") -> String { "\(top)/\(rawValue)/\(target)" }
}

func module(
    _ folder: Folder, _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], packageAccess: Bool = true,
    settings: [SwiftSetting] = [], plugins: [Target.PluginUsage] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: folder.path(of: name), exclude: exclude, packageAccess: packageAccess,
        swiftSettings: strict + [whole] + settings, plugins: plugins)
}

func system(_ folder: Folder, _ name: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, path: folder.path(of: name), pkgConfig: pkgConfig)
}

/// Module map that lets `import NAME.part` mean the Swift module NAME.
func submodules(_ name: String) -> Target { .target(name: "\(name)Submodules", path: Folder.apple.path(of: "\(name)Submodules")) }

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: Folder.tool.path(of: name), swiftSettings: strict)
}

func tests(_ folder: Folder, _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: folder.path(of: name, under: "Tests"), resources: resources, swiftSettings: strict)
}

/// What several test targets import.
func testSupport(_ folder: Folder, _ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: folder.path(of: name, under: "Tests"), swiftSettings: strict)
}

/// Units of client code, as an app of its own settings would build them.
func clientUnits(_ name: String, _ settings: [SwiftSetting]) -> Target {
    .target(
        name: name,
        dependencies: [
            "AVFoundation", "AVFAudio", "AVKit", "Accelerate", "AudioToolbox", "Combine", "CoreFoundation", "CoreGraphics", "CoreImage",
            "CoreMedia", "CoreMotion", "Metal", "MobileCoreServices", "OSLog", "Photos", "SwiftUI", "UIKit", "VideoToolbox", "os",
        ],
        path: Folder.apple.path(of: name, under: "Tests"), exclude: ["README.md"], swiftSettings: settings)
}

let package = Package(
    name: "rackfocus",
    products: [
        .library(
            name: "AVFoundation",
            targets: [
                "AVFoundation", "CoreMedia", "CoreVideo", "CoreGraphics", "Combine", "Metal", "QuartzCore", "simd", "AVKit", "os",
            ]),
        // Of their own, as each module costs every build of an app a second and a half.
        .library(name: "AVFAudio", targets: ["AVFAudio"]),
        .library(name: "CoreFoundation", targets: ["CoreFoundation"]),
        .library(name: "Accelerate", targets: ["Accelerate"]),
        .library(name: "AudioToolbox", targets: ["AudioToolbox"]),
        .library(name: "VideoToolbox", targets: ["VideoToolbox"]),
        .library(name: "Cinematic", targets: ["Cinematic", "Metal"]),
        .library(name: "Combine", targets: ["Combine"]),
        .library(name: "Photos", targets: ["Photos"]),
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
        .library(name: "OSLog", targets: ["OSLog"]),
        .library(name: "ImageIO", targets: ["ImageIO"]),
        .library(name: "UIKit", targets: ["UIKit"]),
        .library(name: "CoreImage", targets: ["CoreImage"]),
        .library(name: "SwiftUI", targets: ["SwiftUI"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "CoreMotion", targets: ["CoreMotion"]),
        .library(name: "MobileCoreServices", targets: ["MobileCoreServices"]),
        .library(name: "CaptureTesting", targets: ["CaptureTesting"]),
        .library(name: "RackfocusKit", targets: ["RackfocusKit"]),
        .executable(name: "rackfocus", targets: ["rackfocus"]),
        // Preloaded by the tests that fail calls to C: a file of its own.
        .library(name: "FaultInjection", type: .dynamic, targets: ["FaultInjection"]),
        .library(name: "PreloadedCamera", type: .dynamic, targets: ["PreloadedCamera"]),
    ],
    targets: [
        // 0: foreign code behind C headers, a module each
        system(.adapters, "CVulkan", pkgConfig: "vulkan"),
        system(.adapters, "CFFmpeg", pkgConfig: "libavformat"),
        system(.adapters, "CYAML", pkgConfig: "yaml-0.1"),
        system(.adapters, "CV4L2", pkgConfig: "libv4lconvert"),
        system(.adapters, "CALSA", pkgConfig: "alsa"),
        system(.adapters, "CZstd", pkgConfig: "libzstd"),
        system(.adapters, "CHEIF", pkgConfig: "libheif"),
        system(.adapters, "OpenCVHeaders", pkgConfig: "opencv4"),
        system(.adapters, "PipeWireHeaders", pkgConfig: "libpipewire-0.3"),
        .target(name: "CPipeWire", dependencies: ["PipeWireHeaders"], path: Folder.adapters.path(of: "CPipeWire")),
        // Apart, since apps' tests make JPEG files alone.
        .target(name: "CJPEGFiles", path: Folder.adapters.path(of: "CJPEGFiles"), linkerSettings: [.linkedLibrary("jpeg")]),
        module(.adapters, "JPEGFiles", ["CJPEGFiles"]),
        .target(
            name: "CPNGFiles", dependencies: ["CJPEGFiles"], path: Folder.adapters.path(of: "CPNGFiles"), linkerSettings: [.linkedLibrary("png")]),
        // Own kernels: C in front, C++17 behind, a folder per algorithm.
        .target(name: "CVisionKernels", path: Folder.adapters.path(of: "CVisionKernels")),
        .target(
            name: "CLensKernels", path: Folder.adapters.path(of: "CLensKernels"), cxxSettings: [.headerSearchPath("../CVisionKernels/Common")]),
        .target(
            name: "COpenCV", dependencies: ["OpenCVHeaders", "CVisionKernels"], path: Folder.adapters.path(of: "COpenCV"),
            linkerSettings: [.linkedLibrary("dlib"), .linkedLibrary("lapack"), .linkedLibrary("blas")]),
        .target(name: "Shaders", path: "Shaders", exclude: ["README.md"], swiftSettings: strict, plugins: ["ShaderCompiler"]),
        .plugin(name: "ShaderCompiler", capability: .buildTool(), path: Folder.adapters.path(of: "ShaderCompiler")),

        // 1: values; below them the base class of actors derived from NSObject, which Swift lacks on Linux
        .target(name: "CSwiftRuntime", path: Folder.apple.path(of: "CSwiftRuntime")),
        .target(
            name: "CPixelLoops", path: Folder.apple.path(of: "CPixelLoops"), cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
        module(.apple, "CoreVideo", ["CSwiftRuntime", "CPixelLoops"]),
        module(.apple, "Metal", ["CoreVideo"], exclude: ["Coverage.md"]),
        module(.apple, "CoreFoundation", ["CoreVideo"], exclude: ["Coverage.md"]),
        submodules("Accelerate"),
        module(.apple, "Accelerate", ["CoreVideo", "AccelerateSubmodules"], exclude: ["Coverage.md"], settings: [optimised]),
        module(.apple, "CoreMotion", ["CoreVideo"], exclude: ["Coverage.md"]),
        module(.apple, "MobileCoreServices", ["CoreVideo", "UniformTypeIdentifiers"], exclude: ["Coverage.md"]),
        submodules("CoreImage"),
        module(.apple, "_Testing_CoreImage"),
        module(
            .apple, "CoreImage",
            [
                "Support", "CoreMedia", "CoreVideo", "ImageIO", "JPEGFiles", "Metal", "AVFAssets", "AVFCapture", "CoreImageSubmodules",
                "_Testing_CoreImage",
            ],
            exclude: ["Coverage.md"], settings: [optimised]),
        module(.apple, "SwiftUI", ["Combine", "CoreVideo", "UIKit"], exclude: ["Coverage.md"]),
        module(.apple, "AudioToolbox", ["CoreMedia"], exclude: ["Coverage.md"]),
        module(.apple, "VideoToolbox", ["CoreMedia", "CoreVideo"], exclude: ["Coverage.md"]),
        submodules("os"),
        module(.apple, "os", ["osSubmodules"]),
        module(.apple, "Combine", ["CoreVideo"], exclude: ["Coverage.md"]),
        module(.apple, "OSLog", ["os"], exclude: ["Coverage.md"]),
        module(
            .apple, "Photos",
            ["AVFoundation", "CoreImage", "CoreLocation", "CoreVideo", "ImageIO", "UIKit", "UniformTypeIdentifiers", "_Testing_UIKit"],
            exclude: ["Coverage.md"]),
        module(.apple, "UniformTypeIdentifiers", exclude: ["Coverage.md"]),
        module(.apple, "QuartzCore", ["CoreVideo"], exclude: ["Coverage.md"]),
        module(.apple, "ImageIO", ["Support", "CoreVideo", "CPixelLoops", "JPEGFiles", "CPNGFiles"], exclude: ["Coverage.md"]),
        module(.apple, "_Testing_UIKit"),
        module(
            .apple, "UIKit", ["Combine", "CoreImage", "CoreVideo", "QuartzCore", "ImageIO", "UniformTypeIdentifiers", "_Testing_UIKit"],
            exclude: ["Coverage.md"]),
        module(.apple, "CoreLocation", exclude: ["Coverage.md"]),
        module(.apple, "simd", exclude: ["Coverage.md"]),
        module(.apple, "_Testing_CoreGraphics"),
        module(.apple, "CoreGraphics", ["CoreVideo", "_Testing_CoreGraphics"]),
        module(.apple, "CoreMedia", ["CoreVideo"]),
        module(.core, "Optics"),
        // Between fork and exec no Swift can run.
        .target(name: "CChildProcess", path: Folder.core.path(of: "CChildProcess")),
        module(.core, "Support", ["CChildProcess"]),
        module(.core, "CameraProfiles", ["Support"], plugins: ["PhoneProfiles"]),
        .plugin(name: "PhoneProfiles", capability: .buildTool(), path: Folder.core.path(of: "PhoneProfiles")),

        // 2: what flows, and the roles that meet
        module(.core, "Pipeline", ["Support", "CoreMedia", "CoreVideo", "Optics"]),

        // 3: one room each
        module(.core, "Focus", ["Support", "Pipeline", "CoreMedia", "Optics"]),
        module(.core, "Stage", ["Support", "Pipeline", "CoreMedia", "CoreVideo", "Optics"]),
        module(
            .adapters, "Vision", ["Support", "Pipeline", "CoreMedia", "CoreVideo", "Optics", "COpenCV", "CVisionKernels"],
            exclude: ["Measurements.md"]),
        module(
            .adapters, "Bokeh", ["Support", "Pipeline", "CoreMedia", "CoreVideo", "Optics", "CVulkan", "CLensKernels", "Shaders"],
            exclude: ["Measurements.md"]),
        module(.core, "LensTruth", ["Pipeline", "CoreVideo", "Optics"]),
        module(
            .adapters, "Media", ["Support", "Pipeline", "CoreMedia", "CoreVideo", "Optics", "CFFmpeg", "CZstd", "CHEIF"],
            exclude: ["Measurements.md"]),
        module(
            .adapters, "VideoDevice", ["Support", "Pipeline", "CoreMedia", "CoreVideo", "CV4L2", "CALSA", "CPipeWire"], exclude: ["Measurements.md"]),

        // 4: the mirror
        module(
            .apple, "AVFCapture",
            [
                "Support", "CameraProfiles", "Pipeline", "Focus", "CoreMedia", "CoreVideo", "CPixelLoops", "CSwiftRuntime", "QuartzCore", "simd",
                "Optics",
            ]),
        // Apart from the capture graph, since nothing of it or of CaptureTesting waits for assets: the two compile side by side.
        module(
            .apple, "AVFAssets",
            ["Support", "Pipeline", "AVFCapture", "CoreMedia", "CoreVideo", "CPixelLoops", "CSwiftRuntime", "QuartzCore", "UniformTypeIdentifiers"]),
        module(.apple, "AVFAudio", ["AVFCapture", "CoreMedia", "CoreVideo", "Pipeline"], exclude: ["Coverage.md"]),
        module(
            .apple, "AVFoundation", ["AVFCapture", "AVFAssets", "AVFAudio", "Combine", "Metal", "UniformTypeIdentifiers"], exclude: ["Coverage.md"]),
        module(.apple, "AVKit", ["AVFCapture", "AVFoundation"]),
        module(
            .apple, "Cinematic", ["Support", "Pipeline", "Focus", "AVFoundation", "Metal", "CoreMedia", "CoreVideo", "Optics"],
            exclude: ["Coverage.md"]),

        // 5: the tool's camera app; it sees of the mirror what an app sees
        module(.testing, "CameraApp", ["AVFCapture"], packageAccess: false),

        // 5: the scenario file; what a run of one leaves; its runner with the checks
        module(.testing, "ScenarioFormat", ["Support", "CameraProfiles", "Stage", "Focus", "Pipeline", "CoreMedia", "CYAML"]),
        module(.testing, "RunReport", ["Support", "ScenarioFormat", "AVFCapture", "Focus", "Pipeline", "CoreMedia"]),
        module(
            .testing, "ScenarioRun",
            [
                "Support", "CameraApp", "ScenarioFormat", "RunReport", "AVFCapture", "Stage", "Focus", "Pipeline", "CoreMedia", "CoreVideo",
                "Optics",
            ]),

        // 5: runs of scenario files, and their results: what an app's own tests need none of
        module(
            .testing, "ScenarioResults",
            [
                "Support", "CameraApp", "ScenarioFormat", "ScenarioRun", "RunReport", "AVFCapture", "Stage", "Focus", "Pipeline", "CoreMedia",
                "CoreVideo", "Optics",
            ]),

        // 5: what an app's own unit tests import
        module(
            .testing, "CaptureTesting",
            [
                "Support", "CameraApp", "ScenarioFormat", "ScenarioRun", "RunReport", "AVFCapture", "Stage", "Focus", "Pipeline", "CoreMedia",
                "CoreVideo", "CPixelLoops", "JPEGFiles",
            ]),

        // 5: what the capture graph costs; the tool of its own needs libyaml alone
        module(.tool, "SessionBenchmark", ["Support", "ScenarioRun", "AVFCapture", "Stage", "Pipeline", "CoreMedia"]),
        program("session-bench", ["SessionBenchmark", "Support"]),

        // 6: adapters into roles
        module(
            .tool, "RackfocusKit",
            [
                "Support", "CameraApp", "ScenarioFormat", "ScenarioRun", "ScenarioResults", "RunReport",
                "AVFoundation", "Cinematic", "Stage", "Focus", "Vision", "Bokeh", "LensTruth", "Media", "VideoDevice", "Pipeline", "CoreMedia",
                "CoreVideo",
                "Optics",
            ]),

        // 6: what is timed, and against whom; no part of a product but the tool
        module(
            .tool, "Benchmarks",
            [
                "Support", "Bokeh", "LensTruth", "Media", "Vision", "Stage", "Pipeline", "CoreMedia", "CoreVideo", "Optics", "COpenCV",
                "CVisionKernels", "CVisionOracles",
            ]),
        // Library functions that the kernels replace; it reads the kernels' own headers.
        .target(
            name: "CVisionOracles", dependencies: ["OpenCVHeaders", "COpenCV", "CVisionKernels"], path: Folder.tool.path(of: "CVisionOracles"),
            cxxSettings: [.headerSearchPath("../../Adapters/COpenCV"), .headerSearchPath("../../Adapters/CVisionKernels")],
            // A few functions out of the archive: the shared library brings eighty others with it, which double the tool's start.
            linkerSettings: [.linkedLibrary(":libopencv_ximgproc.a")]),

        // 7: the tool
        system(.tool, "CMalloc"),
        program(
            "rackfocus",
            [
                "RackfocusKit", "Benchmarks", "SessionBenchmark", "ScenarioFormat", "ScenarioResults", "Vision", "Media", "Pipeline", "Support",
                "CMalloc",
            ]),

        .target(name: "FaultInjection", path: Folder.tool.path(of: "FaultInjection", under: "Tests"), publicHeadersPath: "."),
        // A camera to preload where there is none, and a capture without anything behind it.
        .target(name: "PreloadedCamera", path: Folder.tool.path(of: "PreloadedCamera", under: "Tests"), publicHeadersPath: "."),
        .executableTarget(
            name: "camera-check", dependencies: ["VideoDevice", "Support", "Pipeline", "CoreMedia", "CoreVideo"],
            path: Folder.tool.path(of: "CameraCheck", under: "Tests"), swiftSettings: strict),
        // A recorder to fail and to kill.
        .executableTarget(
            name: "take-recorder", dependencies: ["RackfocusKit", "AVFoundation", "Pipeline", "CoreMedia", "CoreVideo", "Optics"],
            path: Folder.tool.path(of: "TakeRecorder", under: "Tests"), swiftSettings: strict),

        tests(.apple, "CoreMediaTests", ["CoreMedia", "CoreVideo"]),
        tests(.apple, "CombineTests", ["Combine"]),
        tests(.apple, "PhotosTests", ["MovieSupport", "AVFoundation", "CoreVideo", "Photos", "Pipeline", "UniformTypeIdentifiers"]),
        tests(.apple, "UniformTypeIdentifiersTests", ["UniformTypeIdentifiers"]),
        tests(
            .apple, "NeighbourTests",
            [
                "MovieSupport", "FuzzSupport", "AVFAudio", "AVFoundation", "ImageIO", "UIKit", "CoreLocation", "CoreMotion", "MobileCoreServices",
                "UniformTypeIdentifiers",
                "Accelerate", "CoreImage", "Metal", "QuartzCore", "SwiftUI", "VideoToolbox", "CoreMedia", "CoreVideo", "Pipeline", "os", "simd",
            ]),
        tests(.core, "OpticsTests", ["Optics"]),
        tests(.core, "SupportTests", ["TestSupport", "FuzzSupport", "Support"]),
        tests(.core, "PipelineTests", ["TestSupport", "FuzzSupport", "Pipeline", "CoreMedia", "CoreVideo", "Optics"]),
        // A second, slow and obvious implementation of the focus rules.
        testSupport(.core, "ReferenceModel", ["Focus", "Pipeline"]),
        // Inputs drawn by chance for the tests of every parser.
        testSupport(.core, "FuzzSupport", ["Support"]),
        // Folders of their own for tests, waiting, and places in the checkout.
        testSupport(.core, "TestSupport", []),
        // Movies without a file for what reads, plays and composes them.
        testSupport(.core, "MovieSupport", ["Pipeline", "CoreMedia"]),
        tests(.core, "FocusTests", ["ReferenceModel", "Focus", "Pipeline", "CoreMedia", "Optics"]),
        tests(.core, "StageTests", ["FuzzSupport", "Stage", "Pipeline", "CoreMedia", "CoreVideo", "Optics"]),
        tests(
            .adapters, "VisionTests",
            ["TestSupport", "FuzzSupport", "Support", "Vision", "Stage", "Focus", "Media", "Pipeline", "CoreMedia", "CoreVideo"]),
        tests(.core, "LensTruthTests", ["LensTruth", "Pipeline", "CoreVideo", "Optics"]),
        tests(
            .adapters, "BokehTests",
            ["TestSupport", "FuzzSupport", "Bokeh", "LensTruth", "Vision", "Media", "Pipeline", "CoreMedia", "CoreVideo", "Optics"]),
        tests(
            .adapters, "MediaTests", ["TestSupport", "FuzzSupport", "Support", "Media", "Pipeline", "CoreMedia", "CoreVideo", "Optics", "CMalloc"]),
        // An app's editor of cinematic movies and its recorder over the data outputs: Apple's modules and nothing else.
        testSupport(.apple, "CinematicClient", ["AVFoundation", "Cinematic", "Photos"]),
        tests(.adapters, "VideoDeviceTests", ["TestSupport", "VideoDevice", "Pipeline", "CoreMedia", "CoreVideo", "CV4L2"]),
        // An app's camera service as it would be written for a phone: it imports Apple's modules and nothing else.
        testSupport(.apple, "ClientApp", ["AVFoundation", "AVKit", "CoreGraphics", "CoreMedia", "CoreVideo", "os"]),
        // Units shaped like those of public clients, one for each cause for which such code did not compile; the same files in both language modes.
        clientUnits("ClientUnits", [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        clientUnits("ClientUnits5", [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        tests(
            .apple, "AVFoundationTests",
            [
                "TestSupport", "MovieSupport", "FuzzSupport", "Support", "ClientApp", "AVFoundation", "AVFAssets", "AVFCapture", "CameraProfiles",
                "Combine", "CoreGraphics", "QuartzCore", "simd", "os", "Pipeline", "Focus", "CoreMedia", "CoreVideo", "Optics",
            ]),
        tests(
            // One target for the four modules: they share their fixtures, and one bundle links once.
            .testing, "ScenarioTests",
            [
                "TestSupport", "Support", "ReferenceModel", "FuzzSupport", "CameraApp", "ScenarioFormat", "ScenarioRun", "ScenarioResults",
                "RunReport", "AVFoundation", "AVFCapture", "Stage", "Focus", "Pipeline", "CoreMedia", "CoreVideo", "Optics",
            ],
            resources: [.copy("Bad")]),
        tests(
            .testing, "CaptureTestingTests",
            [
                "TestSupport", "CaptureTesting", "ClientApp", "ClientUnits", "ClientUnits5", "AVFoundation", "AVKit", "Accelerate", "Combine",
                "CoreImage", "CoreMedia", "CoreMotion", "CoreVideo", "ImageIO", "Metal", "Photos", "QuartzCore", "SwiftUI", "UIKit", "os", "simd",
            ]),
        tests(
            .tool, "RackfocusKitTests",
            [
                "TestSupport", "Support", "FuzzSupport", "CinematicClient", "Cinematic", "CaptureTesting", "Photos", "rackfocus", "take-recorder",
                "RackfocusKit", "CameraApp",
                "ScenarioFormat", "ScenarioRun", "ScenarioResults",
                "RunReport",
                "AVFoundation",
                "Stage", "Focus", "Bokeh", "Media", "Pipeline",
                "CoreMedia", "CoreVideo",
                "Optics", "Vision", "VideoDevice", "PreloadedCamera", "CV4L2", "UniformTypeIdentifiers",
            ],
            resources: [.copy("Render/portrait.heic")]),
        tests(.tool, "BenchmarksTests", ["Benchmarks"]),
        tests(.adapters, "CVisionKernelsTests", ["TestSupport", "Benchmarks"]),
    ],
    cxxLanguageStandard: .cxx17
)

// SwiftPM compiles a target anew where the file of a module changes that it names, and that of a module that re-exports others stays the same when those
// change: whoever names it names them, too. Apps that name the product are compiled anew without.
for target in package.targets where target.name != "AVFoundation" {
    let names = target.dependencies.compactMap { dependency in if case .byNameItem(let name, _) = dependency { name } else { nil } }
    var parts: [String] = names.contains("AVFCapture") ? ["CameraProfiles"] : []
    if names.contains(where: ["AVFoundation", "AVKit", "Cinematic"].contains) {
        parts = ["AVFCapture", "AVFAssets", "AVFAudio", "CameraProfiles", "Metal"]
    }
    target.dependencies += parts.filter { !names.contains($0) }.map { .byName(name: $0) }
}

// `RACKFOCUS_ONLY="FocusTests …"` keeps these targets and what they need (the sanitizers' builds and the mutations, see Makefile).
if let names = Context.environment["RACKFOCUS_ONLY"] {
    var kept: Set<String> = []
    var wanted = names.split(separator: " ").map(String.init)
    while let name = wanted.popLast() {
        guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
        for case .byNameItem(let dependency, _) in target.dependencies { wanted.append(dependency) }
        for case .plugin(let plugin, _) in target.plugins ?? [] { wanted.append(plugin) }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = []
}
