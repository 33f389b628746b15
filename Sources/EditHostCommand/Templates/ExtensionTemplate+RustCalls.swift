// SPDX-License-Identifier: Apache-2.0

/// The calls of the contract in Rust, which use the filter.
extension ExtensionTemplate {
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

        /// Returns the functions of the host, or `None` if the host is too old.
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
                        "{{\"name\":{},\"type\":{},\"label\":{},\"help\":{},\"minimum\":{},\
                         \"maximum\":{},\"step\":{},\"default\":{}}}",
                        quoted(each.name), quoted(each.kind), quoted(each.label), quoted(each.help),
                        each.minimum, each.maximum, each.step, each.value)
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
}
