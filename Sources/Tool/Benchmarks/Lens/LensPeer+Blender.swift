extension LensPeer {
    /// The Defocus node of Blender's compositor, without its window; loading Blender is part of its time.
    static var defocus: LensPeer {
        LensPeer(
            name: "Blender Defocus", program: "blender", versionOption: "--version", signature: "Blender", package: "blender",
            draw: { task in
                ["-b", "--factory-startup", "--python-exit-code", "1", "--python-expr", script, "--"]
                    + [task.path("sharp.png"), task.path("radius.png"), task.path("drawn.png"), String(task.largestRadius)]
            })
    }

    /// The map says the radius, white being the largest; a blur_max of 0 would blur nothing.
    private static let script = """
        import bpy, sys
        sharp, radius, drawn, largest = sys.argv[sys.argv.index("--") + 1:]
        image, mask = bpy.data.images.load(sharp), bpy.data.images.load(radius)
        mask.colorspace_settings.name = "Non-Color"
        scene = bpy.context.scene
        scene.view_settings.view_transform = "Standard"
        scene.render.resolution_x, scene.render.resolution_y = image.size
        scene.render.resolution_percentage = 100
        scene.render.image_settings.file_format = "PNG"
        scene.render.filepath = drawn
        scene.use_nodes = True
        nodes, links = scene.node_tree.nodes, scene.node_tree.links
        nodes.clear()
        picture, depth = nodes.new("CompositorNodeImage"), nodes.new("CompositorNodeImage")
        picture.image, depth.image = image, mask
        blur, out = nodes.new("CompositorNodeDefocus"), nodes.new("CompositorNodeComposite")
        blur.use_zbuffer, blur.use_gamma_correction, blur.bokeh = False, False, "CIRCLE"
        blur.z_scale, blur.blur_max = float(largest), 128
        links.new(picture.outputs[0], blur.inputs[0])
        links.new(depth.outputs[0], blur.inputs[1])
        links.new(blur.outputs[0], out.inputs[0])
        bpy.ops.render.render(write_still=True)
        """
}
