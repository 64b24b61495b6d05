import { type Env, Hono } from 'hono'
import { metadataPaths } from '../../access/oauth/addresses.ts'
import { methodAnswer } from '../parts/answers.ts'
import type { RequestOf } from '../parts/page-parts.ts'
import { CONNECT_STYLE, ConsentPage } from './consent.ts'
import { ConnectEndpoints, type ConnectPageParts } from './endpoints.ts'

/** Routes of the OAuth metadata, and of the OAuth endpoints and the consent page below `/connect`. */
export function connectPages<E extends Env>(parts: ConnectPageParts, incomingOf: RequestOf<E>): Hono<E> {
  const app = new Hono<E>()
  const endpoints = new ConnectEndpoints(parts)
  const consent = new ConsentPage(parts)
  const { metadata, addresses } = parts.connect
  const paths = metadataPaths(addresses)

  const publish = (path: string, document: object) => {
    app.get(path, () => endpoints.metadata(document))
    others(path, 'GET')
  }
  const others = (path: string, allowed: string) =>
    app.all(path, ({ req }) =>
      req.method === 'OPTIONS' ? endpoints.options(allowed) : endpoints.wrongMethod(req.method, allowed),
    )
  for (const path of paths.resource) publish(path, metadata.resource)
  for (const path of paths.server) publish(path, metadata.server)
  for (const name of ['register', 'token', 'revoke'] as const) {
    app.post(`/connect/${name}`, (context) => endpoints[name](incomingOf(context)))
    others(`/connect/${name}`, 'POST')
  }
  app.get('/connect/authorize', (context) => consent.get(incomingOf(context)))
  app.post('/connect/authorize', (context) => consent.post(incomingOf(context)))
  app.all('/connect/authorize', (context) => methodAnswer(context.req.method))
  app.get(CONNECT_STYLE.address, CONNECT_STYLE.answer)
  return app
}
