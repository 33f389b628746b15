// SPDX-License-Identifier: Apache-2.0

/// The extension in Rust and its test. They use Rust 1.63, the version of Debian 12.
extension ExtensionTemplate {
    /// The file that authors change.
    static let rustFilter = #"""
        //! The filter. For another one, change only this file and tests.rs.

        /// The identifier of the extension and of its recipes.
        pub const IDENTIFIER: &str = "@IDENTIFIER@";
        /// The version of the extension.
        pub const VERSION: &str = "1.0";
        /// The version of the recipes. Change it if the parameters get another meaning.
        pub const FORMAT_VERSION: &str = "1.0";

        /// What else the manifest says.
        pub const NAME: &str = "@NAME@";
        pub const AUTHOR: &str = "The authors of @NAME@";
        pub const LICENSE: &str = "MIT";
        pub const DESCRIPTION: &str = "Multiplies the colours of a picture by a gain and adds a lift.";

        /// A parameter, which is a number.
        pub struct Parameter {
            pub name: &'static str,
            pub kind: &'static str, // the type in the manifest: number, integer or angle
            pub label: &'static str,
            pub help: &'static str,
            pub minimum: f64,
            pub maximum: f64,
            pub step: f64,
            pub value: f64, // the default value
        }

        /// The parameters. The manifest is generated from this table.
        pub const PARAMETERS: [Parameter; 2] = [
            Parameter {
                name: "gain",
                kind: "number",
                label: "Gain",
                help: "The factor for red, green and blue.",
                minimum: 0.0,
                maximum: 4.0,
                step: 0.01,
                value: 1.0,
            },
            Parameter {
                name: "lift",
                kind: "number",
                label: "Lift",
                help: "What is added to red, green and blue; 1 is white.",
                minimum: -1.0,
                maximum: 1.0,
                step: 0.01,
                value: 0.0,
            },
        ];

        /// The values of the parameters, in the order of the table.
        pub type Values = [f64; PARAMETERS.len()];

        /// Changes a row of pixels, or a part of one. Called on several threads at once.
        ///
        /// A pixel has 3 or 4 bands: red, green, blue and straight alpha, from 0 to 1. Values out of this range are clipped.
        pub fn filter(row: &mut [f32], bands: usize, values: &Values) {
            let [gain, lift] = values.map(|value| value as f32);
            for pixel in row.chunks_exact_mut(bands) {
                // The fourth band, alpha, does not change.
                for sample in &mut pixel[..3] {
                    *sample = *sample * gain + lift;
                }
            }
        }

        """#

    /// The root of the library.
    static let rustLibrary = #"""
        //! The extension: the filter, the calls of edithost, and the contract between both.

        mod contract;
        mod extension;
        mod filter;

        """#

    /// The test, a program with the same modules as the library.
    static let rustTest = #"""
        //! The test of the extension. It edits pictures in its own process, with the test host of edithost.

        mod contract;
        mod extension;
        mod filter;

        use contract::{Adjustment, Entry, Host};
        use filter::{IDENTIFIER, VERSION};
        use std::ffi::{CStr, CString};
        use std::os::raw::c_char;
        use std::ptr::null;

        // The declarations of editing_extension_testing.h that the test uses.

        #[repr(C)]
        struct Picture {
            width: u32,
            height: u32,
            bands: u32,
            depth: u32,
            samples: *mut u8,
        }

        #[repr(C)]
        struct Extension {
            private: [u8; 0],
        }

        #[repr(C)]
        struct Edit {
            private: [u8; 0],
        }

        extern "C" {
            fn ee_test_message() -> *const c_char;
            fn ee_test_use(
                entry: unsafe extern "C" fn(*const Host) -> *const Entry, identifier: *const c_char,
                version: *const c_char,
            ) -> *mut Extension;
            fn ee_test_gradient(width: u32, height: u32, bands: u32, depth: u32) -> *mut Picture;
            fn ee_test_sample(picture: *const Picture, x: u32, y: u32, band: u32) -> u32;
            fn ee_test_same(one: *const Picture, other: *const Picture, tolerance: u32) -> bool;
            fn ee_test_picture_free(picture: *mut Picture);
            fn ee_test_start(
                extension: *mut Extension, input: *const Picture, recipe: *const Adjustment,
            ) -> *mut Edit;
            fn ee_test_set(edit: *mut Edit, json: *const c_char) -> bool;
            fn ee_test_finish(edit: *mut Edit) -> *mut Picture;
            fn ee_test_recipe(edit: *const Edit) -> *const Adjustment;
            fn ee_test_end(edit: *mut Edit) -> bool;
            fn ee_test_render(
                extension: *mut Extension, input: *const Picture, recipe: *const Adjustment,
            ) -> *mut Picture;
        }

        /// Ends the program if the condition is false. The message says why a function of the test host failed.
        #[track_caller]
        fn require(condition: bool) {
            let message = unsafe { CStr::from_ptr(ee_test_message()) };
            assert!(condition, "{}", message.to_string_lossy());
        }

        /// The sample that the filter makes of another, in plain arithmetic.
        fn expected(sample: f64, gain: f64, lift: f64) -> f64 {
            (sample * gain + 255.0 * lift).clamp(0.0, 255.0)
        }

        unsafe fn test_samples(input: *const Picture, output: *const Picture) {
            for y in 0..(*input).height {
                for x in 0..(*input).width {
                    for band in 0..3 {
                        let wanted = expected(ee_test_sample(input, x, y, band).into(), 0.5, 0.1);
                        let sample = f64::from(ee_test_sample(output, x, y, band));
                        assert!(
                            (wanted - sample).abs() <= 0.5001,
                            "band {band} of the pixel at {x}, {y}: expected {wanted}, got {sample}");
                    }
                }
            }
        }

        unsafe fn test() {
            let [identifier, version] = [IDENTIFIER, VERSION].map(|text| CString::new(text).unwrap());
            let extension = ee_test_use(
                extension::editing_extension_entry, identifier.as_ptr(), version.as_ptr());
            require(!extension.is_null());
            let input = ee_test_gradient(64, 48, 3, 8);

            // With the default values, nothing changes. Remove this if your filter changes the picture by default.
            let same = ee_test_render(extension, input, null());
            require(!same.is_null() && ee_test_same(same, input, 0));

            let edit = ee_test_start(extension, input, null());
            let values = CString::new("{\"gain\": 0.5, \"lift\": 0.1}").unwrap();
            require(!edit.is_null() && ee_test_set(edit, values.as_ptr()));
            let output = ee_test_finish(edit);
            require(!output.is_null());
            test_samples(input, output);

            // The recipe gives the same pixels again.
            let again = ee_test_render(extension, input, ee_test_recipe(edit));
            require(!again.is_null() && ee_test_same(again, output, 0));
            require(ee_test_end(edit));

            for picture in [again, output, same, input] {
                ee_test_picture_free(picture);
            }
        }

        fn main() {
            unsafe { test() }
            println!("passed");
        }

        """#
}
