// swift-tools-version: 6.2
import PackageDescription

// The layers, lowest first; a target imports only what it names here (checked by the build, see Makefile).

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: strict)
}

func system(_ name: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

let package = Package(
    name: "rackfocus",
    products: [
        .library(name: "AVFoundation", targets: ["AVFoundation", "CoreMedia", "CoreVideo", "CoreGraphics", "AVKit", "os"]),
        .library(name: "CaptureTesting", targets: ["CaptureTesting"]),
        .library(name: "RackfocusKit", targets: ["RackfocusKit"]),
        .executable(name: "rackfocus", targets: ["rackfocus"]),
    ],
    targets: [
        // 0: foreign code, one door each
        system("CVulkan", pkgConfig: "vulkan"),
        system("CFFmpeg", pkgConfig: "libavformat"),
        system("CYAML", pkgConfig: "yaml-0.1"),
        system("OpenCVHeaders", pkgConfig: "opencv4"),
        .target(
            name: "COpenCV", dependencies: ["OpenCVHeaders"],
            linkerSettings: [.linkedLibrary("dlib"), .linkedLibrary("lapack"), .linkedLibrary("blas")]),
        .target(name: "Shaders", path: "Shaders", swiftSettings: strict, plugins: ["ShaderCompiler"]),
        .plugin(name: "ShaderCompiler", capability: .buildTool(), path: "Sources/ShaderCompiler"),

        // 1: values
        module("CoreVideo"),
        module("os"),
        module("_Testing_CoreGraphics"),
        module("CoreGraphics", ["CoreVideo", "_Testing_CoreGraphics"]),
        module("CoreMedia", ["CoreVideo"]),
        module("Optics"),

        // 2: what flows, and the roles that meet
        module("Pipeline", ["CoreMedia", "CoreVideo", "Optics"]),

        // 3: one room each
        module("Focus", ["Pipeline", "CoreMedia", "Optics"]),
        module("Stage", ["Pipeline", "CoreMedia", "CoreVideo", "Optics"]),
        module("Vision", ["Pipeline", "CoreMedia", "CoreVideo", "COpenCV"]),
        module("Bokeh", ["Pipeline", "CoreMedia", "CoreVideo", "Optics", "CVulkan", "Shaders"]),
        module("LensTruth", ["Pipeline", "CoreVideo", "Optics"]),
        module("Media", ["Pipeline", "CoreMedia", "CoreVideo", "CFFmpeg"]),

        // 4: the mirror
        module(
            "AVFoundation", ["Pipeline", "Focus", "CoreMedia", "CoreVideo", "Optics"], exclude: ["Coverage.md"],
            resources: [.embedInCode("Cameras/iphone-14.json"), .embedInCode("Cameras/iphone-17-pro.json"), .embedInCode("Cameras/external.json")]),

        module("AVKit", ["AVFoundation"]),

        // 5: the scripted world
        module("Scenario", ["AVFoundation", "Stage", "Focus", "Pipeline", "CoreMedia", "CoreVideo", "Optics", "CYAML"]),

        // 5: what an app's own unit tests import
        module("CaptureTesting", ["Scenario", "AVFoundation", "Stage", "Focus", "Pipeline", "CoreMedia", "CoreVideo"]),

        // 5: what the capture graph costs; the tool of its own needs libyaml alone
        module("Bench", ["Scenario", "AVFoundation", "Stage", "Pipeline", "CoreMedia"]),
        .executableTarget(name: "session-bench", dependencies: ["Bench"], swiftSettings: strict),

        // 6: adapters into roles
        module(
            "RackfocusKit",
            [
                "Scenario", "AVFoundation", "Stage", "Focus", "Vision", "Bokeh", "LensTruth", "Media", "Bench", "Pipeline", "CoreMedia", "CoreVideo",
                "Optics",
            ]),

        // 7: the tool
        .executableTarget(name: "rackfocus", dependencies: ["RackfocusKit", "Bench"], swiftSettings: strict),

        tests("CoreMediaTests", ["CoreMedia", "CoreVideo"]),
        tests("OpticsTests", ["Optics"]),
        tests("PipelineTests", ["Pipeline", "CoreMedia", "CoreVideo", "Optics"]),
        // A second, slow and obvious implementation of the focus rules.
        .target(name: "ReferenceModel", dependencies: ["Focus", "Pipeline"], path: "Tests/ReferenceModel", swiftSettings: strict),
        tests("FocusTests", ["ReferenceModel", "Focus", "Pipeline", "CoreMedia", "Optics"]),
        tests("StageTests", ["Stage", "Pipeline", "CoreMedia", "CoreVideo", "Optics"]),
        tests("VisionTests", ["Vision", "Stage", "Focus", "Media", "Pipeline", "CoreMedia", "CoreVideo"]),
        tests("LensTruthTests", ["LensTruth", "Pipeline", "CoreVideo", "Optics"]),
        tests("BokehTests", ["Bokeh", "LensTruth", "Vision", "Media", "Pipeline", "CoreMedia", "CoreVideo", "Optics"]),
        tests("MediaTests", ["Media", "Pipeline", "CoreMedia", "CoreVideo"]),
        // An app's camera service as it would be written for a phone: it imports Apple's modules and nothing else.
        .target(name: "ClientApp", dependencies: ["AVFoundation", "AVKit", "CoreGraphics", "os"], path: "Tests/ClientApp", swiftSettings: strict),
        tests("AVFoundationTests", ["ClientApp", "AVFoundation", "CoreGraphics", "os", "Pipeline", "Focus", "CoreMedia", "CoreVideo", "Optics"]),
        tests(
            "ScenarioTests", ["ReferenceModel", "Scenario", "AVFoundation", "Stage", "Focus", "Pipeline", "CoreMedia", "CoreVideo", "Optics"],
            resources: [.copy("Bad")]),
        tests("CaptureTestingTests", ["CaptureTesting", "ClientApp", "AVFoundation"]),
        tests(
            "RackfocusKitTests",
            [
                "rackfocus", "RackfocusKit", "Scenario", "AVFoundation", "Stage", "Focus", "Bokeh", "Media", "Pipeline", "CoreMedia", "CoreVideo",
                "Optics", "Vision",
            ]),
    ],
    cxxLanguageStandard: .cxx17
)

// `RACKFOCUS_LIGHT=1` leaves the adapters and the tool out: what remains needs libyaml alone (the sanitizers' build, see Makefile).
if Context.environment["RACKFOCUS_LIGHT"] != nil {
    let heavy: Set = [
        "CVulkan", "CFFmpeg", "OpenCVHeaders", "COpenCV", "Shaders", "ShaderCompiler", "Vision", "Bokeh", "LensTruth", "Media", "RackfocusKit",
        "rackfocus",
    ]
    // A target's tests go with it.
    package.targets.removeAll { heavy.contains($0.name) || heavy.contains($0.name.replacing("Tests", with: "")) }
    package.products.removeAll { heavy.contains($0.name) }
}
