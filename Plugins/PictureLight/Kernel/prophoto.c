/* SPDX-License-Identifier: Apache-2.0 */
#include <lcms2.h>
#include <stdlib.h>
#include <vips/vips.h>
#include "picture_light.h"

/* A transform of LittleCMS, and the memory that it uses. */
typedef struct {
    cmsContext context;
    cmsHTRANSFORM transform;
} conversion;

static void convert_row(
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top)
{
    (void) is_byte, (void) bands, (void) left, (void) top;
    const conversion *own = edit;
    cmsDoTransform(own->transform, source, destination, (cmsUInt32Number) pixels);
}

static void release_conversion(void *edit)
{
    conversion *own = edit;
    if (own->transform)
        cmsDeleteTransform(own->transform);
    cmsDeleteContext(own->context);
    free(own);
}

/* ISO 22028-2 with a pure gamma of 461 / 256, like the profile that the host names "prophoto-rgb". */
static cmsHPROFILE make_prophoto(cmsContext context)
{
    cmsCIExyYTRIPLE primaries = {{0.7347, 0.2653, 1}, {0.1596, 0.8404, 1}, {0.0366, 0.0001, 1}};
    cmsToneCurve *curve = cmsBuildGamma(context, 461.0 / 256);
    if (!curve)
        return NULL;
    cmsHPROFILE profile =
        cmsCreateRGBProfileTHR(context, cmsD50_xyY(), &primaries, (cmsToneCurve *[]) {curve, curve, curve});
    cmsFreeToneCurve(curve);
    return profile;
}

/* Makes a transform between two profiles for RGB or RGBA of 16 bits. Returns NULL if one has no colours.
 *
 * Without the option NOOPTIMIZE, LittleCMS replaces the profiles by one table, which is off by almost a level of 8 bits in
 * the shadows. Black point compensation makes the darkest colour of the profile black, as the host does when it converts
 * a picture to sRGB. */
static cmsHTRANSFORM make_transform(cmsContext context, cmsHPROFILE from, cmsHPROFILE to, int bands)
{
    if (!from || !to || cmsGetColorSpace(from) != cmsSigRgbData)
        return NULL;
    cmsUInt32Number layout = bands == 4 ? TYPE_RGBA_16 : TYPE_RGB_16;
    return cmsCreateTransformTHR(
        context, from, layout, to, layout, INTENT_RELATIVE_COLORIMETRIC,
        cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_COPY_ALPHA | cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE);
}

/* Returns the bytes of a profile, which the caller frees, or NULL. */
static void *save_profile(cmsHPROFILE profile, cmsUInt32Number *size)
{
    *size = 0;
    if (!profile || !cmsSaveProfileToMem(profile, NULL, size))
        return NULL;
    void *bytes = malloc(*size);
    if (bytes && cmsSaveProfileToMem(profile, bytes, size))
        return bytes;
    free(bytes);
    return NULL;
}

/* Sets the transform from a profile, and returns the bytes of the one that it leads to, or NULL. */
static void *set_transform(conversion *own, const void *profile, size_t size, int bands, cmsUInt32Number *saved)
{
    if (size > UINT32_MAX)
        return NULL;
    cmsHPROFILE from = cmsOpenProfileFromMemTHR(own->context, profile, (cmsUInt32Number) size);
    cmsHPROFILE to = make_prophoto(own->context);
    own->transform = make_transform(own->context, from, to, bands);
    void *bytes = own->transform ? save_profile(to, saved) : NULL;
    if (from)
        cmsCloseProfile(from);
    if (to)
        cmsCloseProfile(to);
    return bytes;
}

int pl_prophoto(VipsImage *source, const void *profile, size_t size, VipsImage **result)
{
    conversion *own = calloc(1, sizeof *own);
    if (!own || !(own->context = cmsCreateContext(NULL, NULL))) {
        vips_error("LittleCMS", "out of memory");
        free(own);
        return -1;
    }
    cmsUInt32Number saved;
    void *bytes = set_transform(own, profile, size, source->Bands, &saved);
    if (!bytes) {
        vips_error("LittleCMS", "no colours can be computed with it");
        release_conversion(own);
        return -1;
    }
    int status = pl_image(source, own, convert_row, release_conversion, result);
    if (!status)
        vips_image_set_blob_copy(*result, VIPS_META_ICC_NAME, bytes, saved);
    free(bytes);
    return status;
}
