// swift-tools-version: 6.2
import PackageDescription

// The lens and the tests of its plan, which need no device, for `make mutations`: Bokeh is built anew for each fault, all else only once.

let optimised: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("ExistentialAny"), .unsafeFlags(["-O"]),
]

let package = Package(
    name: "mutations",
    targets: [
        .systemLibrary(name: "CVulkan", pkgConfig: "vulkan"),
        .target(name: "CoreVideo", swiftSettings: optimised),
        .target(name: "CoreMedia", dependencies: ["CoreVideo"], swiftSettings: optimised),
        .target(name: "Optics", swiftSettings: optimised),
        .target(name: "CChildProcess"),
        .target(name: "Support", dependencies: ["CChildProcess"], swiftSettings: optimised),
        .target(name: "Pipeline", dependencies: ["CoreMedia", "CoreVideo", "Optics"], swiftSettings: optimised),
        // The library without its shaders: plans are made on the host.
        .target(name: "Shaders", sources: ["ShaderLibrary.swift"], swiftSettings: optimised),
        .target(
            name: "Bokeh", dependencies: ["Support", "Pipeline", "CoreMedia", "CoreVideo", "Optics", "CVulkan", "Shaders"],
            swiftSettings: optimised),
        .testTarget(
            name: "BokehTests", dependencies: ["Bokeh", "Pipeline", "CoreMedia", "CoreVideo", "Optics"],
            sources: ["LensPlanTests.swift", "LightFinderTests.swift", "TestPicture.swift"], swiftSettings: optimised),
    ])
