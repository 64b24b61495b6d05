import { disposition } from '../../contract/values/public-name.ts'
import type { Paper } from '../../resources/sales/paper.ts'
import { drawPaper } from './draw.ts'

/** The PDF of a paper, which a browser shows, under a name that tells it from others. */
export async function paperAnswer(paper: Paper): Promise<Response> {
  const bytes = await drawPaper(paper)
  const name = `${paper.title.toLowerCase()}-${paper.number.replace(/^#/, '')}.pdf`
  return new Response(bytes, {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Length': String(bytes.length),
      'Content-Disposition': disposition('inline', name),
      'Content-Security-Policy':
        "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex, nofollow',
      'Cache-Control': 'private, no-store',
    },
  })
}
