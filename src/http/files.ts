import type { Hono } from 'hono'
import { ApiError, methodNotAllowed } from '../contract/declarations/errors.ts'
import { only } from '../errors.ts'
import { download } from '../pages/files/download.ts'
import { type FileParts, type FileRequest, upload } from '../pages/files/upload.ts'
import { allowLong } from './long-requests.ts'
import type { Environment, Handler } from './read-only.ts'

type Refusal = (error: ApiError) => Response
type FileContext = Parameters<Handler>[0]

export function addFiles(
  app: Hono<Environment>,
  parts: FileParts,
  refusal: Refusal,
  headerOf: (context: FileContext) => FileRequest['header'],
): void {
  const requestOf = (context: FileContext): FileRequest => ({
    id: context.req.param('id')!,
    capability: context.req.param('capability')!,
    request: context.req.raw,
    header: headerOf(context),
  })
  const refusing = (answer: Promise<Response>) => answer.catch(only(ApiError, refusal))
  const allowOnly = (path: string, method: string) =>
    app.all(path, ({ req }) => refusal(methodNotAllowed(req.method, req.path, [method])))

  app.put('/uploads/:id/:capability', (context) => refusing(take(parts, requestOf(context), context)))
  allowOnly('/uploads/:id/:capability', 'PUT')
  for (const path of ['/files/:id/:capability', '/files/:id/:capability/:filename']) {
    app.get(path, (context) => refusing(download(parts, requestOf(context))))
    allowOnly(path, 'GET')
  }
}

async function take(parts: FileParts, asked: FileRequest, context: FileContext): Promise<Response> {
  const size = await upload(parts, asked, () => allowLong(context.env.incoming))
  return context.json({ received: size }, 200, { 'Cache-Control': 'no-store' })
}
