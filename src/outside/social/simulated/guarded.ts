import { type Login, PlatformRefusedError, type SocialProvider } from '../provider.ts'

/** A sandbox for test accounts alone: it refuses accounts that live shops connected to it while it served them too. */
export function guarded(sandbox: SocialProvider): SocialProvider {
  const allowed =
    <Request extends { login: Login }, Answer>(ask: (request: Request) => Promise<Answer>) =>
    async (request: Request): Promise<Answer> => {
      if (!request.login.test) throw new PlatformRefusedError(NOT_SET_UP, { expired: true })
      return ask(request)
    }
  return {
    name: sandbox.name,
    sandbox: sandbox.sandbox,
    connectUrl: (request) => sandbox.connectUrl(request),
    connect: allowed((request) => sandbox.connect(request)),
    publish: allowed((request) => sandbox.publish(request)),
    sync: allowed((request) => sandbox.sync(request)),
    comment: allowed((request) => sandbox.comment(request)),
  }
}

const NOT_SET_UP =
  'This service is not connected to the platform: the account is one of the sandbox, which serves test accounts alone while SANDBOX_PROVIDERS is off.'
