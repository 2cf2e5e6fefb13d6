/* SPDX-License-Identifier: MIT */
/*
 * Files of pictures, see plot_picture.h. An SVG file is put together in memory: Cairo's, and the
 * texts before its end.
 */
#include "host/cli/plot/plot_picture.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>

/* Where Cairo's bytes go. */
typedef struct sink {
    FILE *stream;
    cli_buffer *buffer; /* instead, where it is not NULL */
    int code;           /* the errno of the first write that failed */
} sink;

static cairo_status_t put(void *closure, const unsigned char *bytes, unsigned int count)
{
    sink *to = closure;
    if (to->buffer != NULL) {
        cli_append_bytes(to->buffer, (const char *)bytes, count);
        return to->buffer->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
    }
    if (to->code == 0 && fwrite(bytes, 1, count, to->stream) != count)
        to->code = errno != 0 ? errno : EIO;
    return to->code == 0 ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *create_surface(cli_picture_format format, sink *to, double width,
                                       double height)
{
    cairo_surface_t *surface = NULL;
    switch (format) {
    case CLI_SVG:
    case CLI_HTML:
        surface = cairo_svg_surface_create_for_stream(put, to, width, height);
        break;
    case CLI_PDF:
        surface = cairo_pdf_surface_create_for_stream(put, to, width, height);
        /* No date, so that the same input gives the same bytes. */
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "rhomb plot");
        break;
    case CLI_PNG:
        surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
        break;
    }
    return surface;
}

/* Draws on white. Cairo's status; *drawn is whether there was memory. */
static cairo_status_t paint(cairo_surface_t *surface, cli_canvas *canvas,
                            const cli_picture_drawing *drawing, bool *drawn)
{
    canvas->width = drawing->width;
    canvas->height = drawing->height;
    canvas->cr = cairo_create(surface);
    cairo_set_source_rgb(canvas->cr, 1, 1, 1);
    cairo_paint(canvas->cr);
    *drawn = drawing->draw(canvas, drawing->user);
    cairo_destroy(canvas->cr);
    cairo_surface_flush(surface);
    return cairo_surface_status(surface);
}

static int render(const cli_picture *picture, const cli_picture_drawing *drawing, cli_buffer *texts,
                  sink *to)
{
    cli_canvas canvas = {.scale = 1,
                         .detail = picture->format == CLI_HTML ? CLI_ZOOM_DETAIL : 1,
                         .text = picture->text,
                         .texts = texts};
    bool drawn = false;
    cairo_surface_t *surface = create_surface(picture->format, to, drawing->width, drawing->height);
    cairo_status_t status = paint(surface, &canvas, drawing, &drawn);
    if (status == CAIRO_STATUS_SUCCESS && drawn && picture->format == CLI_PNG)
        status = cairo_surface_write_to_png_stream(surface, put, to);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (to->code != 0)
        return CLI_FAILED; /* whoever has the stream says so */
    if (!drawn || status == CAIRO_STATUS_NO_MEMORY || (texts != NULL && texts->failed))
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (status == CAIRO_STATUS_SUCCESS)
        return CLI_OK;
    return cli_fail_with(CLI_FAILED, "cannot draw the picture: %s", cairo_status_to_string(status));
}

int cli_picture_svg(const cli_picture *picture, const cli_picture_drawing *drawing, cli_buffer *svg)
{
    static const char END[] = "</svg>\n";
    cli_buffer texts = {0};
    sink to = {.buffer = svg};
    int status = render(picture, drawing, &texts, &to);
    const size_t end = strlen(END);
    if (status == CLI_OK && texts.length > 0 && svg->length > end &&
        memcmp(svg->data + svg->length - end, END, end) == 0) {
        svg->length -= end;
        cli_append_text(svg, "<g font-family=\"DejaVu Sans, Verdana, sans-serif\">\n");
        cli_append_bytes(svg, texts.data, texts.length);
        cli_append_text(svg, "</g>\n");
        cli_append_text(svg, END);
        if (svg->failed)
            status = cli_fail(NULL, RHOMB_ERR_MEMORY);
    }
    cli_buffer_release(&texts);
    return status;
}

int cli_picture_save(const cli_picture *picture, const cli_picture_drawing *drawing,
                     cli_output *output)
{
    cli_buffer svg = {0};
    sink to = {.stream = output->stream};
    int status;
    if (picture->format == CLI_SVG) {
        status = cli_picture_svg(picture, drawing, &svg);
        if (status == CLI_OK)
            put(&to, (const unsigned char *)svg.data, (unsigned)svg.length);
    } else {
        status = render(picture, drawing, NULL, &to);
    }
    cli_buffer_release(&svg);
    return to.code != 0 ? cli_output_status(output, to.code) : status;
}
