/* SPDX-License-Identifier: MIT */
/*
 * Which device a selector means, what "auto" means, and the message when there is none. All of it
 * uses rhomb_device_info alone, so that tests can invent devices.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/device/context.h"
#include "host/device/device.h"
#include "host/device/program.h"
#include "src/planner/device_class.h"

/* "GPU", "accelerator", "CPU" or "device". */
static const char *kind_name(rhomb_device_kind kind)
{
    switch (kind) {
    case RHOMB_DEVICE_GPU:
        return "GPU";
    case RHOMB_DEVICE_ACCELERATOR:
        return "accelerator";
    case RHOMB_DEVICE_CPU:
        return "CPU";
    default:
        return "device";
    }
}

static const char *article(rhomb_device_kind kind)
{
    return kind == RHOMB_DEVICE_ACCELERATOR ? "an" : "a";
}

size_t rhomb__device_same_as(const rhomb_device_info *infos, size_t count, size_t index)
{
    const rhomb_device_info *info = &infos[index];
    for (size_t i = 0; i < index && i < count; i++) {
        const rhomb_device_info *other = &infos[i];
        if (!other->usable)
            continue;
        /* The slices of a partitioned card share its PCI address, but not its UUID. */
        if (info->uuid != NULL && other->uuid != NULL) {
            if (strcmp(info->uuid, other->uuid) == 0)
                return i;
        } else if (info->pci != NULL && other->pci != NULL && strcmp(info->pci, other->pci) == 0) {
            return i;
        }
    }
    return RHOMB__DEVICE_NONE;
}

/* Whether "auto" prefers `a` to `b`. The enum lists the kinds in order of preference. */
static bool is_better(const rhomb_device_info *a, const rhomb_device_info *b)
{
    const double speed_a = rhomb__device_speed(a), speed_b = rhomb__device_speed(b);
    if (a->kind != b->kind)
        return a->kind < b->kind;
    if (a->unified_memory != b->unified_memory)
        return b->unified_memory;
    if (speed_a != speed_b)
        return speed_a > speed_b;
    return a->memory_bytes > b->memory_bytes;
}

static const rhomb_device_kind ANY_KIND = RHOMB_DEVICE_OTHER;

/* The best usable device of a kind, or of any. */
static size_t best_of(const rhomb_device_info *infos, size_t count, rhomb_device_kind kind)
{
    size_t best = RHOMB__DEVICE_NONE;
    for (size_t i = 0; i < count; i++)
        if (infos[i].usable && (kind == ANY_KIND || infos[i].kind == kind) &&
            rhomb__device_same_as(infos, count, i) == RHOMB__DEVICE_NONE &&
            (best == RHOMB__DEVICE_NONE || is_better(&infos[i], &infos[best])))
            best = i;
    return best;
}

size_t rhomb__device_best(const rhomb_device_info *infos, size_t count)
{
    return best_of(infos, count, ANY_KIND);
}

/* The count of distinct usable devices of a kind. */
static size_t count_kind(const rhomb_device_info *infos, size_t count, rhomb_device_kind kind)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (infos[i].usable && infos[i].kind == kind &&
            rhomb__device_same_as(infos, count, i) == RHOMB__DEVICE_NONE)
            found++;
    return found;
}

/* "33 T cells a second, estimated". */
static void describe_speed(const rhomb_device_info *info, char *text, size_t size)
{
    snprintf(text, size, "%.2g T cells a second, estimated", rhomb__device_speed(info) / 1e12);
}

/* Of the device that "auto" takes. */
static void note_chosen(const rhomb_device_info *infos, size_t count, const rhomb_device_info *info,
                        char note[RHOMB__DEVICE_NOTE_SIZE])
{
    const char *others = info->kind != RHOMB_DEVICE_GPU ? ", and there is no GPU" : "";
    const char *kind = kind_name(info->kind);
    char speed[64];
    describe_speed(info, speed, sizeof speed);
    if (count_kind(infos, count, info->kind) == 1)
        snprintf(note, RHOMB__DEVICE_NOTE_SIZE, "chosen: the only %s%s", kind, others);
    else
        snprintf(note, RHOMB__DEVICE_NOTE_SIZE, "chosen: the fastest %s (%s)%s", kind, speed,
                 others);
}

void rhomb__device_note(const rhomb_device_info *infos, size_t count, size_t best, size_t index,
                        char note[RHOMB__DEVICE_NOTE_SIZE])
{
    const rhomb_device_info *info = &infos[index];
    const rhomb_device_info *chosen = &infos[best];
    const size_t same = rhomb__device_same_as(infos, count, index);
    char speed[64];
    describe_speed(info, speed, sizeof speed);
    if (same != RHOMB__DEVICE_NONE)
        snprintf(note, RHOMB__DEVICE_NOTE_SIZE, "same device as #%zu", same);
    else if (index == best)
        note_chosen(infos, count, info, note);
    else if (info->kind != chosen->kind)
        snprintf(note, RHOMB__DEVICE_NOTE_SIZE, "%s %s: used only when there is no %s",
                 article(info->kind), kind_name(info->kind), kind_name(chosen->kind));
    else if (info->unified_memory && !chosen->unified_memory)
        snprintf(note, RHOMB__DEVICE_NOTE_SIZE, "in the host's memory: #%zu has its own", best);
    else if (rhomb__device_speed(info) < rhomb__device_speed(chosen))
        snprintf(note, RHOMB__DEVICE_NOTE_SIZE, "slower than #%zu (%s)", best, speed);
    else if (is_better(chosen, info))
        snprintf(note, RHOMB__DEVICE_NOTE_SIZE, "smaller than #%zu", best);
    else
        snprintf(note, RHOMB__DEVICE_NOTE_SIZE, "as good as #%zu, which comes first", best);
}

#define HEX_DIGITS "0123456789abcdefABCDEF"

typedef struct pci_address {
    bool has_domain;
    unsigned domain;
    unsigned bus;
    unsigned device;
    unsigned function;
} pci_address;

/* "[domain:]bus:device.function" in hexadecimal; some tools print the domain with eight digits. */
static bool parse_pci(const char *text, pci_address *pci)
{
    int end = 0;
    if (text[strspn(text, HEX_DIGITS ":.")] != '\0') /* sscanf() takes signs and spaces too */
        return false;
    memset(pci, 0, sizeof *pci);
    pci->has_domain = sscanf(text, "%8x:%8x:%8x.%8x%n", &pci->domain, &pci->bus, &pci->device,
                             &pci->function, &end) == 4;
    if (!pci->has_domain &&
        sscanf(text, "%8x:%8x.%8x%n", &pci->bus, &pci->device, &pci->function, &end) != 3)
        return false;
    return text[end] == '\0';
}

static bool matches_pci(const rhomb_device_info *info, const pci_address *wanted)
{
    pci_address pci;
    return info->pci != NULL && parse_pci(info->pci, &pci) &&
           (!wanted->has_domain || wanted->domain == pci.domain) && wanted->bus == pci.bus &&
           wanted->device == pci.device && wanted->function == pci.function;
}

/* The 32 hexadecimal digits of a UUID in lower case, without dashes and a leading "GPU-". */
static bool parse_uuid(const char *text, char digits[33])
{
    size_t count = 0;
    if (strncasecmp(text, "GPU-", 4) == 0)
        text += 4;
    for (; *text != '\0'; text++) {
        if (*text == '-')
            continue;
        if (!isxdigit((unsigned char)*text) || count == 32)
            return false;
        digits[count++] = (char)tolower((unsigned char)*text);
    }
    digits[count] = '\0';
    return count == 32;
}

static bool matches_uuid(const rhomb_device_info *info, const char *wanted)
{
    char digits[33];
    return info->uuid != NULL && parse_uuid(info->uuid, digits) && strcmp(digits, wanted) == 0;
}

/* Whether `text` contains the first `length` characters of `part`, ignoring case. */
static bool contains(const char *text, const char *part, size_t length)
{
    for (; strlen(text) >= length; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return false;
}

/* The kind that the first `length` characters of a selector name, in any case; else ANY_KIND. */
static rhomb_device_kind kind_named(const char *selector, size_t length)
{
    for (rhomb_device_kind kind = RHOMB_DEVICE_GPU; kind < ANY_KIND; kind++) {
        const char *name = kind_name(kind);
        if (strlen(name) == length && strncasecmp(name, selector, length) == 0)
            return kind;
    }
    return ANY_KIND;
}

/*
 * "part" or "part#k". A '#' without a number after it belongs to the part. The name of a kind is
 * not looked for in others: without a number it means the best of that kind.
 */
static size_t match_name(const rhomb_device_info *infos, size_t count, const char *selector)
{
    size_t length = strlen(selector);
    unsigned long long skip = 0;
    const char *mark = strrchr(selector, '#');
    if (mark != NULL && mark[1] != '\0' && mark[1 + strspn(mark + 1, "0123456789")] == '\0') {
        skip = strtoull(mark + 1, NULL, 10);
        length = (size_t)(mark - selector);
    }
    const rhomb_device_kind kind = kind_named(selector, length);
    if (kind != ANY_KIND && selector[length] == '\0')
        return best_of(infos, count, kind);
    for (size_t i = 0; i < count; i++)
        if ((kind != ANY_KIND ? infos[i].kind == kind
                              : contains(infos[i].name, selector, length) ||
                                    contains(infos[i].vendor, selector, length) ||
                                    contains(infos[i].platform, selector, length)) &&
            skip-- == 0)
            return i;
    return RHOMB__DEVICE_NONE;
}

static bool is_auto(const char *selector)
{
    return selector == NULL || selector[0] == '\0' || strcasecmp(selector, "auto") == 0;
}

size_t rhomb__device_match(const rhomb_device_info *infos, size_t count, const char *selector)
{
    pci_address pci;
    char uuid[33];
    if (is_auto(selector))
        return rhomb__device_best(infos, count);
    if (selector[strspn(selector, "0123456789")] == '\0') {
        const unsigned long long index = strtoull(selector, NULL, 10);
        return index < count ? (size_t)index : RHOMB__DEVICE_NONE;
    }
    const bool is_pci = parse_pci(selector, &pci);
    const bool is_uuid = parse_uuid(selector, uuid);
    if (!is_pci && !is_uuid)
        return match_name(infos, count, selector);
    for (size_t i = 0; i < count; i++)
        if (is_pci ? matches_pci(&infos[i], &pci) : matches_uuid(&infos[i], uuid))
            return i;
    return RHOMB__DEVICE_NONE;
}

static const char HINTS[] =
    "Every OpenCL device needs a driver (ICD) that is registered with the OpenCL loader:\n"
    "  any CPU      package pocl-opencl-icd\n"
    "  NVIDIA GPU   the driver's OpenCL part, package nvidia-opencl-icd (Debian) or\n"
    "               libnvidia-compute-NNN (Ubuntu); in a container without it, the file\n"
    "               /etc/OpenCL/vendors/nvidia.icd holding the line libnvidia-opencl.so.1\n"
    "  AMD GPU      package rocm-opencl-runtime\n"
    "  Intel GPU    package intel-opencl-icd\n"
    "A user of an AMD or Intel GPU must be in the group `render`, to open /dev/dri/renderD*.\n"
    "A program from conda sees the system's drivers with conda's package ocl-icd-system.\n"
    "OCL_ICD_VENDORS, when set, is searched in place of /etc/OpenCL/vendors.\n"
    "PoCL reports no device when it cannot write its cache folder (POCL_CACHE_DIR).\n"
    "`clinfo -l` lists what the loader finds.";

rhomb_status rhomb__device_fail_none(rhomb_context *ctx)
{
    char text[sizeof HINTS + 1024];
    const bool has_trouble = ctx->devices.trouble != NULL;
    const char *trouble = has_trouble ? ctx->devices.trouble : "";
    snprintf(text, sizeof text, "%s%s%s", trouble, has_trouble ? "\n" : "", HINTS);
    const rhomb_status status =
        rhomb__fail(&ctx->stream.error, RHOMB_ERR_NO_DEVICE, "no OpenCL device found");
    rhomb__error_attach(&ctx->stream.error, text);
    return status;
}

/* Adds a line for each device after the recorded error. */
static void attach_list(rhomb_context *ctx)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return;
    fputs("Devices found:", stream);
    for (size_t i = 0; i < ctx->devices.count; i++) {
        const rhomb_device_info *info = &ctx->devices.infos[i];
        fprintf(stream, "\n  #%" PRId32 " %s, %s (%s)", info->index, info->name,
                kind_name(info->kind), info->platform);
        if (info->pci != NULL)
            fprintf(stream, ", PCI %s", info->pci);
        if (info->uuid != NULL)
            fprintf(stream, ", UUID %s", info->uuid);
        fprintf(stream, ": %s", info->note);
    }
    if (fclose(stream) == 0)
        rhomb__error_attach(&ctx->stream.error, text);
    free(text);
}

rhomb_status rhomb__device_find(rhomb_context *ctx, const char *selector, uint32_t flags,
                                size_t *index)
{
    const rhomb__device_list *list = &ctx->devices;
    rhomb__error *error = &ctx->stream.error;
    rhomb_status status = RHOMB_OK;
    if ((flags & ~RHOMB_REQUIRE_GPU) != 0)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "unknown flags 0x%" PRIx32, flags);
    if (list->count == 0)
        return rhomb__device_fail_none(ctx);

    const size_t found = rhomb__device_match(list->infos, list->count, selector);
    const rhomb_device_info *info = found != RHOMB__DEVICE_NONE ? &list->infos[found] : NULL;
    if (info == NULL && is_auto(selector))
        status = rhomb__fail(error, RHOMB_ERR_NO_DEVICE, "none of the OpenCL devices is usable");
    else if (info == NULL)
        status = rhomb__fail(error, RHOMB_ERR_NO_DEVICE, "no device matches \"%s\"", selector);
    else if (!info->usable)
        status = rhomb__fail(error, RHOMB_ERR_NO_DEVICE, "device #%" PRId32 ", %s, is %s",
                             info->index, info->name, info->note);
    else if ((flags & RHOMB_REQUIRE_GPU) != 0 && info->kind != RHOMB_DEVICE_GPU)
        status = rhomb__fail(error, RHOMB_ERR_NO_DEVICE,
                             "a GPU is required, and device #%" PRId32 ", %s, is %s %s",
                             info->index, info->name, article(info->kind), kind_name(info->kind));
    if (status != RHOMB_OK)
        attach_list(ctx);
    else
        *index = found;
    return status;
}

static bool is_all(const char *selector)
{
    return selector != NULL && strcasecmp(selector, "all") == 0;
}

/* Those like the one that "auto" would open, each card once: no integrated GPU beside others. */
static rhomb_status find_kind(rhomb_context *ctx, uint32_t flags, rhomb__device_set *set)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__device_list *list = &ctx->devices;
    size_t best = 0;
    RHOMB_TRY(rhomb__device_find(ctx, "auto", flags, &best));
    set->count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const rhomb_device_info *info = &list->infos[i];
        if (!info->usable || info->kind != list->infos[best].kind ||
            info->unified_memory != list->infos[best].unified_memory ||
            rhomb__device_same_as(list->infos, list->count, i) != RHOMB__DEVICE_NONE)
            continue;
        if (set->count == RHOMB_MOST_DEVICES)
            return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                               "more than %d devices: choose some of them", RHOMB_MOST_DEVICES);
        set->indices[set->count++] = i;
    }
out:
    return status;
}

/* Adds the device of one selector of a list. */
static rhomb_status add_one(rhomb_context *ctx, const char *from, size_t length, uint32_t flags,
                            rhomb__device_set *set)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &ctx->stream.error;
    size_t index = 0;
    for (; length > 0 && *from == ' '; length--)
        from++;
    while (length > 0 && from[length - 1] == ' ')
        length--;
    char *one = strndup(from, length);
    if (one == NULL)
        return rhomb__fail_memory(error, length + 1, "a selector");
    if (length == 0)
        status = rhomb__fail(error, RHOMB_ERR_ARGUMENT, "a selector of the list is empty");
    if (status == RHOMB_OK)
        status = rhomb__device_find(ctx, one, flags, &index);
    free(one);
    if (status != RHOMB_OK)
        return status;
    if (set->count == RHOMB_MOST_DEVICES)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "more than %d devices", RHOMB_MOST_DEVICES);
    const rhomb_device_info *infos = ctx->devices.infos;
    const size_t all = ctx->devices.count;
    for (size_t i = 0; i < set->count; i++)
        if (set->indices[i] == index ||
            rhomb__device_same_as(infos, all, index) == set->indices[i] ||
            rhomb__device_same_as(infos, all, set->indices[i]) == index)
            return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "device #%zu is named twice", index);
    set->indices[set->count++] = index;
    return RHOMB_OK;
}

rhomb_status rhomb__device_find_all(rhomb_context *ctx, const char *selector, uint32_t flags,
                                    rhomb__device_set *set)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__device_list *list = &ctx->devices;
    set->count = 0;
    if (is_all(selector))
        return find_kind(ctx, flags, set);
    /* Names may have commas. */
    if (is_auto(selector) || strchr(selector, ',') == NULL ||
        rhomb__device_match(list->infos, list->count, selector) != RHOMB__DEVICE_NONE) {
        set->count = 1;
        return rhomb__device_find(ctx, selector, flags, &set->indices[0]);
    }
    for (const char *from = selector; from != NULL;) {
        const char *comma = strchr(from, ',');
        RHOMB_TRY(
            add_one(ctx, from, comma != NULL ? (size_t)(comma - from) : strlen(from), flags, set));
        from = comma != NULL ? comma + 1 : NULL;
    }
out:
    return status;
}
