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
            pub label: &'static str,
            pub help: &'static str,
            pub minimum: f64,
            pub maximum: f64,
            pub value: f64, // the default value
        }

        /// The parameters. The manifest is generated from this table.
        pub const PARAMETERS: [Parameter; 2] = [
            Parameter {
                name: "gain",
                label: "Gain",
                help: "The factor for red, green and blue.",
                minimum: 0.0,
                maximum: 4.0,
                value: 1.0,
            },
            Parameter {
                name: "lift",
                label: "Lift",
                help: "What is added to red, green and blue; 1 is white.",
                minimum: -1.0,
                maximum: 1.0,
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

    /// The declarations of `editing_extension.h`.
    static let rustContract = #"""
        //! The declarations of editing_extension.h that the extension uses, in the order of the header.
        #![allow(dead_code)]

        use std::os::raw::{c_char, c_void};

        pub const ABI_MAJOR: u32 = 1;
        pub const ABI_MINOR: u32 = 1;

        pub const PHOTO_EDITING_CAPABILITY: &[u8] = b"org.edithost.photo-editing/1\0";
        pub const MANIFEST_CAPABILITY: &[u8] = b"org.edithost.manifest/1\0";
        pub const PARAMETERS_CAPABILITY: &[u8] = b"org.edithost.parameters/1\0";
        pub const PIXELS_CAPABILITY: &[u8] = b"org.edithost.pixels/1\0";

        pub type Status = i32;
        pub const OK: Status = 0;
        pub const FAILED: Status = 1;
        pub const BAD_PARAMETER: Status = 2;
        pub const BAD_ADJUSTMENT: Status = 3;
        pub const UNSUPPORTED: Status = 4;
        pub const CANCELLED: Status = 5;
        pub const DISCARDED: Status = 6;

        pub type Access = i32;
        pub const SEQUENTIAL: Access = 0;
        pub const RANDOM: Access = 1;

        pub type Samples = i32;
        pub const SAMPLES_UINT8: Samples = 0;
        pub const SAMPLES_UINT16: Samples = 1;
        pub const SAMPLES_FLOAT: Samples = 2;

        pub type Encoding = i32;
        pub const ENCODED: Encoding = 0;
        pub const LINEAR: Encoding = 1;

        /// A handle. Only the host knows its contents.
        #[repr(C)]
        pub struct Image {
            private: [u8; 0],
        }

        #[repr(C)]
        pub struct Error {
            pub message: [c_char; 1024],
        }

        #[repr(C)]
        pub struct Adjustment {
            pub format_identifier: *const c_char,
            pub format_version: *const c_char,
            pub data: *const c_void,
            pub size: usize,
        }

        #[repr(C)]
        pub struct Host {
            pub struct_size: u32,
            pub abi_major: u32,
            pub abi_minor: u32,
            pub host_data: *mut c_void,
            pub identifier: *const c_char,
            pub version: *const c_char,
            pub log: unsafe extern "C" fn(*const Host, *const c_char),
            pub get_capability: unsafe extern "C" fn(*const Host, *const c_char) -> *const c_void,
        }

        /// Members after these are not used.
        #[repr(C)]
        pub struct Input {
            pub struct_size: u32,
            pub host_data: *mut c_void,
            pub media_type: i32,
            pub media_subtypes: u64,
            pub content_type: *const c_char,
            pub creation_date: *const c_char,
            pub has_location: bool,
            pub latitude: f64,
            pub longitude: f64,
            pub full_width: u32,
            pub full_height: u32,
            pub full_size_orientation: i32,
            pub full_scale: f64,
            pub display_scale: f64,
            pub adjustment: *const Adjustment,
            pub display_image: unsafe extern "C" fn(*const Input, *mut *mut Image, *mut Error) -> Status,
            pub full_size_image:
                unsafe extern "C" fn(*const Input, Access, *mut *mut Image, *mut Error) -> Status,
        }

        #[repr(C)]
        pub struct Preview {
            pub struct_size: u32,
            pub host_data: *mut c_void,
            pub scale: f64,
            pub area: [f64; 4],
            pub image: unsafe extern "C" fn(*const Preview, Access, *mut *mut Image, *mut Error) -> Status,
        }

        #[repr(C)]
        pub struct Output {
            pub struct_size: u32,
            pub adjustment: Adjustment,
            pub image: *mut Image,
            pub rendered_content_type: *const c_char,
            pub profile: *const c_char,
        }

        #[repr(C)]
        pub struct Completion {
            pub struct_size: u32,
            pub host_data: *mut c_void,
            pub complete: unsafe extern "C" fn(*const Completion, Status, *const Output, *const Error),
        }

        /// Reads a value of a JSON object.
        pub type Get<Value> = unsafe extern "C" fn(*const c_char, usize, *const c_char, *mut Value) -> bool;

        #[repr(C)]
        pub struct Parameters {
            pub struct_size: u32,
            pub number: Get<f64>,
            pub integer: Get<i64>,
            pub boolean: Get<bool>,
            pub text:
                unsafe extern "C" fn(*const c_char, usize, *const c_char, *mut c_char, usize) -> bool,
            pub color: Get<[f64; 4]>,
            pub point: Get<[f64; 2]>,
            pub rectangle: Get<[f64; 4]>,
            pub points: unsafe extern "C" fn(
                *const c_char, usize, *const c_char, *mut [f64; 2], usize, *mut usize,
            ) -> bool,
            pub curve: unsafe extern "C" fn(*const c_char, usize, *const c_char, *mut f64, usize) -> bool,
            pub merge:
                unsafe extern "C" fn(*mut c_char, usize, *const c_char, usize, *mut Error) -> Status,
        }

        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct PixelLayout {
            pub struct_size: u32,
            pub samples: Samples,
            pub encoding: Encoding,
            pub bands: u32,
        }

        #[repr(C)]
        pub struct ImageFacts {
            pub struct_size: u32,
            pub width: u32,
            pub height: u32,
            pub samples: Samples,
            pub bands: u32,
            pub access: Access,
            pub has_linear: u32,
            pub profile: *const c_void,
            pub profile_size: usize,
        }

        #[repr(C)]
        pub struct ImageSource {
            pub struct_size: u32,
            pub width: u32,
            pub height: u32,
            pub layout: *const PixelLayout,
            pub data: *mut c_void,
            pub fill: unsafe extern "C" fn(
                *mut c_void, u32, u32, u32, u32, *mut c_void, usize, *mut Error,
            ) -> Status,
            pub release: unsafe extern "C" fn(*mut c_void),
        }

        #[repr(C)]
        pub struct Pixels {
            pub struct_size: u32,
            pub describe: unsafe extern "C" fn(*mut Image, *mut ImageFacts, *mut Error) -> Status,
            pub read: unsafe extern "C" fn(
                *mut Image, u32, u32, u32, u32, *const PixelLayout, *mut c_void, usize, *mut Error,
            ) -> Status,
            pub create: unsafe extern "C" fn(
                *mut Image, *const ImageSource, *mut *mut Image, *mut Error,
            ) -> Status,
            pub retain: unsafe extern "C" fn(*mut Image),
            pub release: unsafe extern "C" fn(*mut Image),
            pub reduced_image:
                unsafe extern "C" fn(*const Input, u32, *mut *mut Image, *mut Error) -> Status,
        }

        /// The functions of the extension. `Controller` is its type for an edit.
        #[repr(C)]
        pub struct PhotoEditing<Controller> {
            pub struct_size: u32,
            pub create: unsafe extern "C" fn(*const Host, *mut *mut Controller, *mut Error) -> Status,
            pub destroy: unsafe extern "C" fn(*mut Controller),
            pub can_handle:
                unsafe extern "C" fn(*mut Controller, *const Adjustment, *mut bool, *mut Error) -> Status,
            pub start:
                unsafe extern "C" fn(*mut Controller, *const Input, *mut Image, *mut Error) -> Status,
            pub get_parameters:
                unsafe extern "C" fn(*mut Controller, *mut *const c_char, *mut Error) -> Status,
            pub set_parameters:
                unsafe extern "C" fn(*mut Controller, *const c_char, usize, *mut Error) -> Status,
            pub render_preview: unsafe extern "C" fn(
                *mut Controller, *const Preview, *mut *mut Image, *mut Error,
            ) -> Status,
            pub finish: unsafe extern "C" fn(*mut Controller, *const Completion, *mut Error) -> Status,
            pub cancel: unsafe extern "C" fn(*mut Controller),
            pub should_show_cancel_confirmation: unsafe extern "C" fn(*mut Controller) -> bool,
        }

        #[repr(C)]
        pub struct Manifest {
            pub struct_size: u32,
            pub json: unsafe extern "C" fn() -> *const c_char,
        }

        #[repr(C)]
        pub struct Entry {
            pub struct_size: u32,
            pub abi_major: u32,
            pub abi_minor: u32,
            pub identifier: *const c_char,
            pub version: *const c_char,
            pub get_capability: unsafe extern "C" fn(*const c_char) -> *const c_void,
        }

        """#

    /// The calls of the contract.
    static let rustExtension = #"""
        //! The calls of edithost, which apply the filter to its images. Other filters need no other code here.

        use crate::contract::*;
        use crate::filter::*;
        use std::ffi::{CStr, CString};
        use std::mem::{size_of, zeroed};
        use std::os::raw::{c_char, c_void};
        use std::ptr::{null, null_mut};

        /// Functions of the host, valid until the process ends.
        #[derive(Clone, Copy)]
        struct Functions {
            parameters: &'static Parameters,
            pixels: &'static Pixels,
        }

        /// Returns the functions of the host, `None` if it is too old.
        unsafe fn functions(host: *const Host) -> Option<Functions> {
            let capability = |id: &[u8]| unsafe { ((*host).get_capability)(host, id.as_ptr().cast()) };
            Some(Functions {
                parameters: capability(PARAMETERS_CAPABILITY).cast::<Parameters>().as_ref()?,
                pixels: capability(PIXELS_CAPABILITY).cast::<Pixels>().as_ref()?,
            })
        }

        /// One edit.
        pub struct Controller {
            functions: Functions,
            input: *const Input,
            identifier: CString,
            format_version: CString,
            /// The values of the parameters, a JSON object that ends with NUL. It is also the recipe.
            json: [u8; 4096],
        }

        impl Controller {
            fn new(functions: Functions) -> Controller {
                let values: Vec<String> =
                    PARAMETERS.iter().map(|each| format!("{}:{}", quoted(each.name), each.value)).collect();
                let text = format!("{{{}}}", values.join(","));
                let mut json = [0; 4096];
                json[..text.len()].copy_from_slice(text.as_bytes());
                Controller {
                    functions,
                    input: null(),
                    identifier: c_string(IDENTIFIER),
                    format_version: c_string(FORMAT_VERSION),
                    json,
                }
            }

            /// The length of the JSON object.
            fn length(&self) -> usize {
                self.json.iter().position(|byte| *byte == 0).unwrap_or(0)
            }

            /// Changes the values that a JSON object contains.
            unsafe fn set(&mut self, json: *const c_char, size: usize, error: *mut Error) -> Status {
                let capacity = self.json.len();
                let values = self.json.as_mut_ptr().cast();
                (self.functions.parameters.merge)(values, capacity, json, size, error)
            }

            unsafe fn values(&self) -> Values {
                let mut values = PARAMETERS.map(|each| each.value);
                for (parameter, value) in PARAMETERS.iter().zip(&mut values) {
                    let name = c_string(parameter.name);
                    let json = self.json.as_ptr().cast();
                    (self.functions.parameters.number)(json, self.length(), name.as_ptr(), value);
                }
                values
            }

            /// Describes the filtered image. No pixels are computed yet. Consumes the image, returns a new one.
            unsafe fn apply(
                &self, image: *mut Image, result: *mut *mut Image, error: *mut Error,
            ) -> Status {
                let pixels = self.functions.pixels;
                let image = Owned { image, pixels };
                let mut facts = ImageFacts { struct_size: size_of::<ImageFacts>() as u32, ..zeroed() };
                let status = (pixels.describe)(image.image, &mut facts, error);
                if status != OK {
                    return status;
                }
                let layout = PixelLayout {
                    struct_size: size_of::<PixelLayout>() as u32,
                    samples: SAMPLES_FLOAT,
                    encoding: ENCODED, // LINEAR is proportional to light
                    bands: facts.bands,
                };
                let source = image.image;
                let filtered = Box::into_raw(Box::new(Filtered { image, layout, values: self.values() }));
                let description = ImageSource {
                    struct_size: size_of::<ImageSource>() as u32,
                    width: facts.width,
                    height: facts.height,
                    layout: &layout,
                    data: filtered.cast(),
                    fill,
                    release,
                };
                let status = (pixels.create)(source, &description, result, error);
                if status != OK {
                    drop(Box::from_raw(filtered));
                }
                status
            }
        }

        fn c_string(text: &str) -> CString {
            CString::new(text).expect("NUL in a text")
        }

        /// A string of JSON.
        fn quoted(text: &str) -> String {
            format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
        }

        /// A reference to an image.
        struct Owned {
            image: *mut Image,
            pixels: &'static Pixels,
        }

        impl Drop for Owned {
            fn drop(&mut self) {
                unsafe { (self.pixels.release)(self.image) }
            }
        }

        /// A filtered image: what it is computed from, and how.
        struct Filtered {
            image: Owned,
            layout: PixelLayout,
            values: Values,
        }

        /// Computes a rectangle of the output. Called on several threads.
        unsafe extern "C" fn fill(
            data: *mut c_void, left: u32, top: u32, width: u32, height: u32, rows: *mut c_void,
            row_bytes: usize, error: *mut Error,
        ) -> Status {
            let this = &*data.cast::<Filtered>();
            let Owned { image, pixels } = this.image;
            let status =
                (pixels.read)(image, left, top, width, height, &this.layout, rows, row_bytes, error);
            if status != OK {
                return status;
            }
            let bands = this.layout.bands as usize;
            for y in 0..height as usize {
                let row = rows.cast::<u8>().add(y * row_bytes).cast::<f32>();
                let samples = std::slice::from_raw_parts_mut(row, width as usize * bands);
                filter(samples, bands, &this.values);
            }
            OK
        }

        unsafe extern "C" fn release(data: *mut c_void) {
            drop(Box::from_raw(data.cast::<Filtered>()));
        }

        unsafe extern "C" fn create(
            host: *const Host, controller: *mut *mut Controller, _error: *mut Error,
        ) -> Status {
            match functions(host) {
                Some(functions) => *controller = Box::into_raw(Box::new(Controller::new(functions))),
                None => return FAILED,
            }
            OK
        }

        unsafe extern "C" fn destroy(controller: *mut Controller) {
            drop(Box::from_raw(controller));
        }

        unsafe extern "C" fn can_handle(
            controller: *mut Controller, recipe: *const Adjustment, answer: *mut bool, _error: *mut Error,
        ) -> Status {
            let this = &*controller;
            *answer = CStr::from_ptr((*recipe).format_identifier) == this.identifier.as_c_str()
                && CStr::from_ptr((*recipe).format_version) == this.format_version.as_c_str();
            OK
        }

        unsafe extern "C" fn start(
            controller: *mut Controller, input: *const Input, _placeholder: *mut Image, error: *mut Error,
        ) -> Status {
            let this = &mut *controller;
            this.input = input;
            if let Some(recipe) = (*input).adjustment.as_ref() {
                if this.set(recipe.data.cast(), recipe.size, error) != OK {
                    return BAD_ADJUSTMENT;
                }
            }
            OK
        }

        unsafe extern "C" fn get_parameters(
            controller: *mut Controller, json: *mut *const c_char, _error: *mut Error,
        ) -> Status {
            *json = (*controller).json.as_ptr().cast();
            OK
        }

        unsafe extern "C" fn set_parameters(
            controller: *mut Controller, json: *const c_char, size: usize, error: *mut Error,
        ) -> Status {
            (*controller).set(json, size, error)
        }

        unsafe extern "C" fn render_preview(
            controller: *mut Controller, preview: *const Preview, result: *mut *mut Image,
            error: *mut Error,
        ) -> Status {
            let mut image = null_mut();
            let status = ((*preview).image)(preview, SEQUENTIAL, &mut image, error);
            if status != OK {
                return status;
            }
            (*controller).apply(image, result, error)
        }

        unsafe extern "C" fn finish(
            controller: *mut Controller, completion: *const Completion, error: *mut Error,
        ) -> Status {
            let this = &*controller;
            let mut full = null_mut();
            let status = ((*this.input).full_size_image)(this.input, SEQUENTIAL, &mut full, error);
            if status != OK {
                return status;
            }
            let mut image = null_mut();
            let status = this.apply(full, &mut image, error);
            if status != OK {
                return status;
            }
            let image = Owned { image, pixels: this.functions.pixels };
            let output = Output {
                struct_size: size_of::<Output>() as u32,
                adjustment: Adjustment {
                    format_identifier: this.identifier.as_ptr(),
                    format_version: this.format_version.as_ptr(),
                    data: this.json.as_ptr().cast(),
                    size: this.length(),
                },
                image: image.image, // the host takes its own reference
                rendered_content_type: null(),
                profile: null(),
            };
            ((*completion).complete)(completion, OK, &output, null());
            OK
        }

        /// Nothing is in flight between calls.
        unsafe extern "C" fn cancel(_controller: *mut Controller) {}

        unsafe extern "C" fn should_show_cancel_confirmation(_controller: *mut Controller) -> bool {
            false
        }

        static PHOTO_EDITING: PhotoEditing<Controller> = PhotoEditing {
            struct_size: size_of::<PhotoEditing<Controller>>() as u32,
            create,
            destroy,
            can_handle,
            start,
            get_parameters,
            set_parameters,
            render_preview,
            finish,
            cancel,
            should_show_cancel_confirmation,
        };

        /// The manifest, for `edithost extensions manifest`. Called once.
        unsafe extern "C" fn manifest_json() -> *const c_char {
            let parameters: Vec<String> = PARAMETERS
                .iter()
                .map(|each| {
                    format!(
                        "{{\"name\":{},\"type\":\"number\",\"label\":{},\"help\":{},\"minimum\":{},\
                         \"maximum\":{},\"step\":0.01,\"default\":{}}}",
                        quoted(each.name), quoted(each.label), quoted(each.help), each.minimum,
                        each.maximum, each.value)
                })
                .collect();
            let format = format!(
                "[{{\"formatIdentifier\":{},\"formatVersions\":[{}]}}]",
                quoted(IDENTIFIER), quoted(FORMAT_VERSION));
            let json = format!(
                "{{\"identifier\":{},\"name\":{},\"version\":{},\"abi\":\"{}.{}\",\"author\":{},\
                 \"license\":{},\"description\":{},\"supportedMediaTypes\":[\"image\"],\"reads\":{},\
                 \"writes\":{},\"parameters\":[{}]}}",
                quoted(IDENTIFIER), quoted(NAME), quoted(VERSION), ABI_MAJOR, ABI_MINOR, quoted(AUTHOR),
                quoted(LICENSE), quoted(DESCRIPTION), format, format, parameters.join(","));
            c_string(&json).into_raw()
        }

        static MANIFEST: Manifest =
            Manifest { struct_size: size_of::<Manifest>() as u32, json: manifest_json };

        unsafe extern "C" fn get_capability(id: *const c_char) -> *const c_void {
            let id = CStr::from_ptr(id).to_bytes_with_nul();
            if id == PHOTO_EDITING_CAPABILITY {
                (&PHOTO_EDITING as *const PhotoEditing<Controller>).cast()
            } else if id == MANIFEST_CAPABILITY {
                (&MANIFEST as *const Manifest).cast()
            } else {
                null()
            }
        }

        /// The one symbol that the library exports.
        ///
        /// # Safety
        ///
        /// The host must be valid until the process ends.
        #[no_mangle]
        pub unsafe extern "C" fn editing_extension_entry(host: *const Host) -> *const Entry {
            if functions(host).is_none() {
                return null();
            }
            // Valid until the process ends.
            Box::into_raw(Box::new(Entry {
                struct_size: size_of::<Entry>() as u32,
                abi_major: ABI_MAJOR,
                abi_minor: ABI_MINOR,
                identifier: c_string(IDENTIFIER).into_raw(),
                version: c_string(VERSION).into_raw(),
                get_capability,
            }))
        }

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
                        assert!((wanted - sample).abs() <= 0.5001, "{wanted} became {sample}");
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

            // With the default values, nothing changes.
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
