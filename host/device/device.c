/* SPDX-License-Identifier: MIT */
/*
 * Asks OpenCL which devices there are.
 *
 * What every OpenCL 1.2 driver must answer is asked of all devices. What only some can tell (PCI
 * address, UUID) is asked where the extension string lists it, and left out when the answer is an
 * error. No vendor's name appears here.
 */
#include "host/device/device.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/space.h"
#include "host/device/surroundings.h"
#include "src/base/error.h"
#include "src/base/int64.h"

/* Values and layouts of extensions that older OpenCL headers lack. */
enum {
    DEVICE_UUID_KHR = 0x106A,     /* cl_khr_device_uuid: 16 bytes */
    DEVICE_PCI_BUS_INFO = 0x410F, /* cl_khr_pci_bus_info: 4 cl_uint */
    DEVICE_PCI_BUS_NV = 0x4008,   /* cl_nv_device_attribute_query: cl_uint each */
    DEVICE_PCI_SLOT_NV = 0x4009,  /* device << 3 | function */
    DEVICE_PCI_DOMAIN_NV = 0x400A,
    DEVICE_TOPOLOGY_AMD = 0x4037, /* cl_amd_device_attribute_query: topology_amd */
    TOPOLOGY_PCIE_AMD = 1
};

/* Of work-items; OpenCL guarantees three, and drivers have no more. */
#define MOST_DIMENSIONS 16

typedef struct topology_amd {
    cl_uint type;
    cl_uchar unused[17];
    cl_uchar bus;
    cl_uchar device;
    cl_uchar function;
} topology_amd;

/* A device while it is being queried. The first failed query stays here. */
typedef struct inquiry {
    rhomb_context *ctx;
    cl_device_id id;
    cl_int code;
    const char *extensions;
} inquiry;

/* Hands a text to the list, which frees it. Returns NULL without memory; `text` is freed then. */
static const char *keep(rhomb_context *ctx, char *text)
{
    rhomb__device_list *list = &ctx->devices;
    const size_t bytes = (list->string_count + 1) * sizeof *list->strings;
    char **strings = text != NULL ? realloc(list->strings, bytes) : NULL;
    if (strings == NULL) {
        free(text);
        rhomb__fail_memory(&ctx->stream.error, bytes, "the list of devices");
        return NULL;
    }
    list->strings = strings;
    strings[list->string_count++] = text;
    return text;
}

/* Drivers pad names with spaces at either end. */
static void trim(char *text)
{
    const size_t begin = strspn(text, " \t\n");
    size_t length = strlen(text + begin);
    while (length > 0 && strchr(" \t\n", text[begin + length - 1]) != NULL)
        length--;
    memmove(text, text + begin, length);
    text[length] = '\0';
}

static void note_failure(inquiry *q, cl_int code)
{
    if (q->code == CL_SUCCESS)
        q->code = code;
}

/* A text of the device; "" when the query fails, NULL only when out of memory. */
static const char *ask_text(inquiry *q, cl_device_info what)
{
    size_t size = 0;
    cl_int code = clGetDeviceInfo(q->id, what, 0, NULL, &size);
    char *text = calloc(size + 1, 1);
    if (text != NULL && code == CL_SUCCESS)
        code = clGetDeviceInfo(q->id, what, size, text, NULL);
    if (code != CL_SUCCESS)
        note_failure(q, code);
    if (text != NULL)
        trim(text);
    return keep(q->ctx, text);
}

/* A text of the platform, in the same way. A platform without a name is still a platform. */
static const char *ask_platform_text(rhomb_context *ctx, cl_platform_id platform,
                                     cl_platform_info what)
{
    size_t size = 0;
    const cl_int code = clGetPlatformInfo(platform, what, 0, NULL, &size);
    char *text = calloc(size + 1, 1);
    if (text != NULL && code == CL_SUCCESS &&
        clGetPlatformInfo(platform, what, size, text, NULL) != CL_SUCCESS)
        text[0] = '\0';
    if (text != NULL)
        trim(text);
    return keep(ctx, text);
}

/* A number of any width that OpenCL uses; 0 when the query fails. */
static cl_ulong ask_number(inquiry *q, cl_device_info what)
{
    union {
        cl_ulong wide;
        cl_uint narrow; /* also cl_bool */
        size_t size;
    } value = {0};
    size_t size = 0;
    const cl_int code = clGetDeviceInfo(q->id, what, sizeof value, &value, &size);
    if (code != CL_SUCCESS) {
        note_failure(q, code);
        return 0;
    }
    return size == sizeof value.narrow ? value.narrow : value.wide;
}

static int64_t clamp(cl_ulong value)
{
    return value < INT64_MAX ? (int64_t)value : INT64_MAX;
}

static int32_t clamp32(cl_ulong value)
{
    return value < INT32_MAX ? (int32_t)value : INT32_MAX;
}

static bool has_extension(const inquiry *q, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(q->extensions, name); at != NULL; at = strstr(at + 1, name))
        if ((at == q->extensions || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Exactly `size` bytes of the answer to an optional query. */
static bool ask_optional(const inquiry *q, cl_device_info what, void *value, size_t size)
{
    size_t got = 0;
    return clGetDeviceInfo(q->id, what, size, value, &got) == CL_SUCCESS && got == size;
}

/* Deprecated since OpenCL 2.0, so a driver may stop answering. */
static bool ask_unified(const inquiry *q)
{
    cl_bool unified = CL_FALSE;
    return ask_optional(q, CL_DEVICE_HOST_UNIFIED_MEMORY, &unified, sizeof unified) && unified;
}

/* OpenCL 3.0 has a query for it, older drivers of NVIDIA and AMD have their own. */
static int32_t ask_lanes(const inquiry *q)
{
    static const cl_device_info QUERIES[] = {0x1067, /* PREFERRED_WORK_GROUP_SIZE_MULTIPLE */
                                             0x4003 /* WARP_SIZE_NV */,
                                             0x4043 /* WAVEFRONT_WIDTH_AMD */};
    for (size_t i = 0; i < sizeof QUERIES / sizeof QUERIES[0]; i++) {
        size_t wide = 0;
        cl_uint narrow = 0;
        if (ask_optional(q, QUERIES[i], &wide, sizeof wide))
            return clamp32(wide);
        if (ask_optional(q, QUERIES[i], &narrow, sizeof narrow))
            return clamp32(narrow);
    }
    return 0;
}

/* domain, bus, device, function */
static bool ask_pci_khr(const inquiry *q, cl_uint pci[4])
{
    return ask_optional(q, DEVICE_PCI_BUS_INFO, pci, 4 * sizeof pci[0]);
}

static bool ask_pci_nv(const inquiry *q, cl_uint pci[4])
{
    cl_uint slot = 0;
    if (!ask_optional(q, DEVICE_PCI_BUS_NV, &pci[1], sizeof pci[1]) ||
        !ask_optional(q, DEVICE_PCI_SLOT_NV, &slot, sizeof slot))
        return false;
    if (!ask_optional(q, DEVICE_PCI_DOMAIN_NV, &pci[0], sizeof pci[0]))
        pci[0] = 0;
    pci[2] = slot >> 3;
    pci[3] = slot & 7;
    return true;
}

static bool ask_pci_amd(const inquiry *q, cl_uint pci[4])
{
    topology_amd topology;
    if (!ask_optional(q, DEVICE_TOPOLOGY_AMD, &topology, sizeof topology) ||
        topology.type != TOPOLOGY_PCIE_AMD)
        return false;
    pci[0] = 0;
    pci[1] = topology.bus;
    pci[2] = topology.device;
    pci[3] = topology.function;
    return true;
}

static const char *ask_pci(const inquiry *q)
{
    static const struct {
        const char *extension;
        bool (*ask)(const inquiry *q, cl_uint pci[4]);
    } ways[] = {{"cl_khr_pci_bus_info", ask_pci_khr},
                {"cl_nv_device_attribute_query", ask_pci_nv},
                {"cl_amd_device_attribute_query", ask_pci_amd}};
    cl_uint pci[4];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (has_extension(q, ways[i].extension) && ways[i].ask(q, pci))
            return keep(q->ctx, rhomb__format("%04x:%02x:%02x.%x", pci[0], pci[1], pci[2], pci[3]));
    return NULL;
}

static const char *ask_uuid(const inquiry *q)
{
    static const unsigned char nothing[16];
    unsigned char uuid[16];
    char hex[40];
    if (!has_extension(q, "cl_khr_device_uuid") ||
        !ask_optional(q, DEVICE_UUID_KHR, uuid, sizeof uuid) ||
        memcmp(uuid, nothing, sizeof uuid) == 0)
        return NULL;
    for (size_t i = 0, at = 0; i < sizeof uuid; i++) {
        const bool dash = i == 4 || i == 6 || i == 8 || i == 10;
        at += (size_t)snprintf(hex + at, sizeof hex - at, dash ? "-%02x" : "%02x", uuid[i]);
    }
    return keep(q->ctx, rhomb__format("%s", hex));
}

static rhomb_device_kind kind_of(cl_ulong type)
{
    if (type & CL_DEVICE_TYPE_GPU)
        return RHOMB_DEVICE_GPU;
    if (type & CL_DEVICE_TYPE_ACCELERATOR)
        return RHOMB_DEVICE_ACCELERATOR;
    if (type & CL_DEVICE_TYPE_CPU)
        return RHOMB_DEVICE_CPU;
    return RHOMB_DEVICE_OTHER;
}

/* "OpenCL 1.2 …" or newer. */
static bool is_recent(const char *version)
{
    int major = 0;
    int minor = 0;
    return sscanf(version, "OpenCL %d.%d", &major, &minor) == 2 &&
           (major > 1 || (major == 1 && minor >= 2));
}

/* The most work-items of a group in the first dimension, or 0; *dimensions says how many there are.
 */
static int64_t ask_first_items(inquiry *q, cl_ulong *dimensions)
{
    size_t sizes[MOST_DIMENSIONS] = {0};
    *dimensions = ask_number(q, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS);
    if (q->code != CL_SUCCESS || *dimensions > MOST_DIMENSIONS)
        return 0;
    const cl_int code =
        clGetDeviceInfo(q->id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
    if (code != CL_SUCCESS)
        note_failure(q, code);
    return clamp(sizes[0]);
}

/* What the device lacks that a full profile has, or that the kernels need; NULL: nothing. */
static const char *shortcoming(inquiry *q, const rhomb_device_info *info, const char *profile,
                               cl_ulong dimensions)
{
    if (strcmp(profile, "FULL_PROFILE") != 0)
        return keep(q->ctx, rhomb__format("not usable: the full profile of OpenCL is needed, and "
                                          "it has \"%s\"",
                                          profile));
    if (dimensions < 1)
        return "not usable: its driver says that work-items have no dimension";
    if (info->max_group_size < RHOMB__LEAST_GROUP)
        return keep(q->ctx, rhomb__format("not usable: groups of %d work-items are needed, and it "
                                          "allows %lld",
                                          RHOMB__LEAST_GROUP, (long long)info->max_group_size));
    if (info->local_memory_bytes < RHOMB__LEAST_LOCAL_BYTES)
        return keep(q->ctx,
                    rhomb__format("not usable: %d bytes of local memory are needed, and it "
                                  "has %lld",
                                  RHOMB__LEAST_LOCAL_BYTES, (long long)info->local_memory_bytes));
    return NULL;
}

/* The reason why the device cannot be used, for its note; NULL when there is none, or no memory. */
static const char *obstacle(inquiry *q, rhomb_device_info *info)
{
    cl_ulong dimensions = 0;
    const int64_t first_items = ask_first_items(q, &dimensions);
    const char *profile = ask_text(q, CL_DEVICE_PROFILE);
    const bool available = ask_number(q, CL_DEVICE_AVAILABLE) != 0;
    const bool compiler = ask_number(q, CL_DEVICE_COMPILER_AVAILABLE) != 0;
    const bool little_endian = ask_number(q, CL_DEVICE_ENDIAN_LITTLE) != 0;
    if (q->code != CL_SUCCESS)
        return keep(q->ctx, rhomb__format("not usable: its driver answers with %s (%d)",
                                          rhomb__cl_error_name(q->code), (int)q->code));
    if (!available)
        return "not usable: its driver says that it is not available";
    if (!is_recent(info->opencl_version))
        return keep(q->ctx, rhomb__format("not usable: OpenCL 1.2 is needed, and it offers \"%s\"",
                                          info->opencl_version));
    if (!compiler)
        return "not usable: its driver has no compiler";
    if (!little_endian)
        return "not usable: its byte order is not little endian";
    if (info->memory_bytes == 0)
        return "not usable: its driver says that it has no memory";
    info->max_group_size = rhomb__min(info->max_group_size, first_items);
    return profile != NULL ? shortcoming(q, info, profile, dimensions) : NULL;
}

/* Fills in one device. describe_choice() writes the note of a usable one. */
static void inquire(rhomb_context *ctx, cl_device_id id, const char *platform,
                    rhomb_device_info *info)
{
    inquiry q = {.ctx = ctx, .id = id, .code = CL_SUCCESS};
    info->kind = kind_of(ask_number(&q, CL_DEVICE_TYPE));
    info->name = ask_text(&q, CL_DEVICE_NAME);
    info->vendor = ask_text(&q, CL_DEVICE_VENDOR);
    info->platform = platform;
    info->driver_version = ask_text(&q, CL_DRIVER_VERSION);
    info->opencl_version = ask_text(&q, CL_DEVICE_VERSION);
    q.extensions = ask_text(&q, CL_DEVICE_EXTENSIONS);
    info->memory_bytes = clamp(ask_number(&q, CL_DEVICE_GLOBAL_MEM_SIZE));
    info->max_buffer_bytes = clamp(ask_number(&q, CL_DEVICE_MAX_MEM_ALLOC_SIZE));
    info->local_memory_bytes = clamp(ask_number(&q, CL_DEVICE_LOCAL_MEM_SIZE));
    info->max_group_size = clamp(ask_number(&q, CL_DEVICE_MAX_WORK_GROUP_SIZE));
    info->compute_units = clamp32(ask_number(&q, CL_DEVICE_MAX_COMPUTE_UNITS));
    info->clock_mhz = clamp32(ask_number(&q, CL_DEVICE_MAX_CLOCK_FREQUENCY));
    if (ctx->stream.error.status != RHOMB_OK)
        return;
    info->unified_memory = ask_unified(&q);
    info->lanes = ask_lanes(&q);
    info->pci = ask_pci(&q);
    info->uuid = ask_uuid(&q);
    info->note = obstacle(&q, info);
    char lacks[RHOMB__SURROUNDINGS_SIZE] = "";
    if (info->note == NULL && q.code == CL_SUCCESS)
        rhomb__lacks_to_build(info, lacks);
    if (lacks[0] != '\0')
        info->note = keep(ctx, rhomb__format("not usable: %s", lacks));
    info->usable = info->note == NULL;
}

/* Makes room for `more` devices at the end of the list; the room is zeroed. */
static rhomb_status grow(rhomb_context *ctx, size_t more)
{
    rhomb__device_list *list = &ctx->devices;
    const size_t count = list->count + more;
    rhomb_device_info *infos = realloc(list->infos, count * sizeof *infos);
    if (infos != NULL)
        list->infos = infos;
    cl_device_id *ids = realloc(list->ids, count * sizeof *ids);
    if (ids != NULL)
        list->ids = ids;
    cl_platform_id *platforms = realloc(list->platforms, count * sizeof *platforms);
    if (platforms != NULL)
        list->platforms = platforms;
    const rhomb_device_info **pointers = realloc(list->pointers, count * sizeof *pointers);
    if (pointers != NULL)
        list->pointers = pointers;
    if (infos == NULL || ids == NULL || platforms == NULL || pointers == NULL)
        return rhomb__fail_memory(&ctx->stream.error, count * sizeof *infos, "the list of devices");
    memset(infos + list->count, 0, more * sizeof *infos);
    memset(ids + list->count, 0, more * sizeof *ids);
    return RHOMB_OK;
}

/* Appends a row for a platform that hides its devices, or must not be asked: it is not usable. */
static rhomb_status add_hidden(rhomb_context *ctx, cl_platform_id platform, const char *name,
                               const char *title, const char *lacks)
{
    rhomb__device_list *list = &ctx->devices;
    if (grow(ctx, 1) != RHOMB_OK)
        return ctx->stream.error.status;
    list->platforms[list->count] = platform;
    list->infos[list->count] =
        (rhomb_device_info){.index = (int32_t)list->count,
                            .kind = RHOMB_DEVICE_CPU,
                            .name = name,
                            .vendor = "",
                            .platform = title,
                            .driver_version = "",
                            .opencl_version = "",
                            .note = keep(ctx, rhomb__format("not usable: %s", lacks))};
    list->count++;
    return ctx->stream.error.status;
}

/* Appends the devices of one platform. */
static rhomb_status add_platform(rhomb_context *ctx, cl_platform_id platform)
{
    rhomb__device_list *list = &ctx->devices;
    cl_uint count = 0;
    const char *name = ask_platform_text(ctx, platform, CL_PLATFORM_NAME);
    const char *version = ask_platform_text(ctx, platform, CL_PLATFORM_VERSION);
    if (name == NULL || version == NULL)
        return ctx->stream.error.status;
    const char *title = keep(ctx, rhomb__format("%s %s", name, version));
    if (title == NULL)
        return ctx->stream.error.status;

    char lacks[RHOMB__SURROUNDINGS_SIZE];
    rhomb__lacks_to_list(&(rhomb_device_info){.platform = title}, lacks);
    if (lacks[0] != '\0')
        return add_hidden(ctx, platform, name, title, lacks);
    cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
    if (code == CL_SUCCESS && count > 0) {
        if (grow(ctx, count) != RHOMB_OK)
            return ctx->stream.error.status;
        code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, list->ids + list->count, NULL);
    }
    if (code != CL_SUCCESS) {
        rhomb__lacks_to_build(&(rhomb_device_info){.platform = title}, lacks);
        if (lacks[0] != '\0')
            return add_hidden(ctx, platform, name, title, lacks);
        rhomb__log(&ctx->stream, 1, "no devices from %s: %s (%d)", title,
                   rhomb__cl_error_name(code), (int)code);
        if (list->trouble == NULL)
            list->trouble =
                keep(ctx, rhomb__format("The platform \"%s\" exists, but lists no device: %s.",
                                        title, rhomb__cl_error_name(code)));
        return ctx->stream.error.status;
    }
    for (cl_uint i = 0; i < count && ctx->stream.error.status == RHOMB_OK; i++) {
        const size_t at = list->count++;
        list->platforms[at] = platform;
        list->infos[at].index = (int32_t)at;
        inquire(ctx, list->ids[at], title, &list->infos[at]);
    }
    return ctx->stream.error.status;
}

/* Chooses what "auto" means, and gives every usable device its note. */
static rhomb_status describe_choice(rhomb_context *ctx)
{
    rhomb__device_list *list = &ctx->devices;
    const size_t best = rhomb__device_best(list->infos, list->count);
    for (size_t i = 0; i < list->count; i++) {
        rhomb_device_info *info = &list->infos[i];
        list->pointers[i] = info;
        info->chosen = i == best;
        if (info->usable) {
            char note[RHOMB__DEVICE_NOTE_SIZE];
            rhomb__device_note(list->infos, list->count, best, i, note);
            info->note = keep(ctx, rhomb__format("%s", note));
        }
    }
    return ctx->stream.error.status;
}

rhomb_status rhomb__device_list_load(rhomb_context *ctx)
{
    rhomb_status status = RHOMB_OK;
    cl_platform_id *platforms = NULL;
    cl_uint count = 0;
    if (ctx->devices.loaded)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__space_check(ctx));

    const cl_int code = clGetPlatformIDs(0, NULL, &count);
    if (code == RHOMB__CL_PLATFORM_NOT_FOUND_KHR) {
        count = 0;
    } else if (code != CL_SUCCESS)
        RHOMB_TRY(rhomb__cl_fail(&ctx->stream, code, "clGetPlatformIDs", __FILE__, __LINE__));
    if (count > 0) {
        platforms = calloc(count, sizeof *platforms);
        if (platforms == NULL)
            RHOMB_TRY(
                rhomb__fail_memory(&ctx->stream.error, count * sizeof *platforms, "platforms"));
        RHOMB_CL(&ctx->stream, clGetPlatformIDs(count, platforms, NULL));
    }
    for (cl_uint i = 0; i < count; i++)
        RHOMB_TRY(add_platform(ctx, platforms[i]));
    RHOMB_TRY(describe_choice(ctx));
    ctx->devices.loaded = true;
out:
    if (status != RHOMB_OK)
        rhomb__device_list_release(&ctx->devices);
    free(platforms);
    return status;
}

void rhomb__device_list_release(rhomb__device_list *list)
{
    for (size_t i = 0; i < list->string_count; i++)
        free(list->strings[i]);
    free(list->strings);
    free(list->infos);
    free(list->pointers);
    free(list->ids);
    free(list->platforms);
    memset(list, 0, sizeof *list);
}

/*
 * The table of what drivers need, see context.h. A driver's releases, by the major version that
 * follows its name; and what they need:
 */
static const struct {
    const char *name;
    int first, last;
    rhomb__quirks needs;
} ROWS[] = {
    {"PoCL ", 4, 5, {true, true, true, true, true, true, ""}},
    {"PoCL ", 0, 3, {false, true, true, true, true, true, ""}},
    {"PoCL ", 6, INT_MAX, {false, false, false, true, true, false, ""}},
    {"pocl ", 0, INT_MAX, {false, true, true, true, true, true, ""}}, /* up to 1.8 */
    {"rusticl",
     INT_MIN,
     INT_MAX,
     {false, false, false, false, false, false, " -Dstatic= -Dinline="}},
};

rhomb__quirks rhomb__quirks_of(const rhomb_device_info *info)
{
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        const char *at = strstr(info->platform, ROWS[i].name);
        const int version = at != NULL ? atoi(at + strlen(ROWS[i].name)) : 0;
        if (at != NULL && version >= ROWS[i].first && version <= ROWS[i].last)
            return ROWS[i].needs;
    }
    return (rhomb__quirks){.build_options = ""};
}
