// swift-tools-version: 6.2
import PackageDescription

// The focus puller and its tests alone, for `make mutations`: the engine is optimised and built anew for each fault, the tests only once.

let optimised: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("ExistentialAny"), .unsafeFlags(["-O"]),
]

let package = Package(
    name: "mutations",
    targets: [
        .target(name: "CoreVideo", swiftSettings: optimised),
        .target(name: "CoreMedia", dependencies: ["CoreVideo"], swiftSettings: optimised),
        .target(name: "Optics", swiftSettings: optimised),
        .target(name: "Pipeline", dependencies: ["CoreMedia", "CoreVideo", "Optics"], swiftSettings: optimised),
        .target(name: "Focus", dependencies: ["Pipeline", "CoreMedia", "Optics"], swiftSettings: optimised),
        .target(name: "ReferenceModel", dependencies: ["Focus", "Pipeline"], path: "Tests/ReferenceModel", swiftSettings: optimised),
        .testTarget(name: "FocusTests", dependencies: ["ReferenceModel", "Focus", "Pipeline", "CoreMedia", "Optics"], swiftSettings: optimised),
    ])
