/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of a plug-in in C: the entry, and the table of functions, which must have the names of the contract.
 *
 * Macros: IDENTIFIER is required, VERSION is optional. ABI: another major version than the header's. WITHOUT_PREVIEW
 * and WITHOUT_ENTRY: omit those functions. ENTER(host): executed in editing_extension_entry. EXTRA_CAPABILITY(id): the
 * structure of a capability other than photo editing, or NULL.
 */
#ifndef ABI
#define ABI EE_ABI_MAJOR
#endif
#ifndef VERSION
#define VERSION "1.0"
#endif
#ifndef ENTER
#define ENTER(host) ((void)(host))
#endif
#ifndef EXTRA_CAPABILITY
#define EXTRA_CAPABILITY(id) NULL
#endif

static const ee_photo_editing photo_editing = {
    .struct_size = sizeof(ee_photo_editing),
    .create = create,
    .destroy = destroy,
    .can_handle = can_handle,
    .start = start,
    .get_parameters = get_parameters,
    .set_parameters = set_parameters,
#ifndef WITHOUT_PREVIEW
    .render_preview = render_preview,
#endif
    .finish = finish,
    .cancel = cancel,
    .should_show_cancel_confirmation = should_show_cancel_confirmation,
};

static const void *get_capability(const char *id)
{
    return strcmp(id, EE_CAPABILITY_PHOTO_EDITING) == 0 ? (const void *)&photo_editing : EXTRA_CAPABILITY(id);
}

static const ee_entry entry = {
    .struct_size = sizeof(ee_entry),
    .abi_major = ABI,
    .abi_minor = EE_ABI_MINOR,
    .identifier = IDENTIFIER,
    .version = VERSION,
    .get_capability = get_capability,
};

#ifndef WITHOUT_ENTRY
EE_EXPORT const ee_entry *editing_extension_entry(const ee_host *host)
{
    ENTER(host);
    return &entry;
}
#endif
