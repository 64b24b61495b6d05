import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { shortened } from './labels.ts'

/** A file, as pages show it. */
export interface ShownFile {
  id: string
  kind: string
  upload_status: string
  filename: string | null
  title: string | null
  content_type: string | null
  size: number | null
  file_url: string | null
  created_at: string
}

/** Kinds that are served as pictures; others, such as SVG, are served to be saved. */
const SERVED = /^image\/(png|jpeg|gif|webp|avif|bmp|apng)$/

/** Whether browsers show it as a picture. */
export function isPicture({ content_type: type, file_url: url }: Pick<ShownFile, 'content_type' | 'file_url'>) {
  return url !== null && SERVED.test(type ?? '')
}

/** A small picture of a file, or its kind in a word. What it is called is written next to it. */
export function thumbnail(file: Pick<ShownFile, 'content_type' | 'file_url' | 'kind'>): Page {
  if (isPicture(file)) return html`<img src="${file.file_url}" alt="" loading="lazy" decoding="async">`
  const [, name = ''] = (file.content_type ?? '').split('/')
  return html`<span aria-hidden="true">${file.kind === 'external_video' ? 'Video' : shortened(name.toUpperCase() || 'File', 12)}</span>`
}
