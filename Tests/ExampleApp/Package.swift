// swift-tools-version: 6.2
import PackageDescription

// A camera app and its tests, as a package of its own. The app imports AVFoundation and nothing else: on a phone it is Apple's,
// here it is rackfocus'. In an app of yours: `.product(name: "AVFoundation", package: "rackfocus", condition: .when(platforms: [.linux]))`.

let package = Package(
    name: "ExampleApp",
    dependencies: [.package(name: "rackfocus", path: "../..")],
    targets: [
        .target(name: "ExampleApp", dependencies: [.product(name: "AVFoundation", package: "rackfocus")]),
        .executableTarget(name: "actor-check", dependencies: [.product(name: "AVFoundation", package: "rackfocus")]),
        .testTarget(
            name: "ExampleAppTests",
            dependencies: [
                "ExampleApp", .product(name: "AVFoundation", package: "rackfocus"), .product(name: "CaptureTesting", package: "rackfocus"),
            ]),
        // The README's code, as it stands there.
        .testTarget(
            name: "ReadmeTests",
            dependencies: [
                "ExampleApp", .product(name: "AVFoundation", package: "rackfocus"), .product(name: "CaptureTesting", package: "rackfocus"),
            ]),
    ]
)
