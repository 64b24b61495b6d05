import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'

/** The page that a form makes, at the width of a desktop or of a phone. Its links do nothing. */
export function previewPart(address: string, title: string): Page {
  return html`<section class="preview" aria-labelledby="preview"><header><h2 id="preview">Preview</h2><div class="preview-widths" role="radiogroup" aria-label="Width"><label><input type="radio" name="preview-width" value="desk" checked> Desktop</label><label><input type="radio" name="preview-width" value="phone"> Phone</label></div></header>
${previewSaid('preview')}<div class="preview-window"><iframe name="preview" loading="lazy" title="${title}" src="${address}" sandbox="allow-same-origin" data-preview-target="frame"></iframe></div></section>`
}

/** Where the script of a preview says why it is not up to date. */
export function previewSaid(controller: 'preview' | 'networks'): Page {
  return html`<p class="preview-said" role="status" data-${controller}-target="said"></p>`
}
