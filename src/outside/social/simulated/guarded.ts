import { type Login, PlatformRefusedError, type SocialProvider } from '../provider.ts'

/** For test accounts alone: it refuses accounts that live shops connected to it while it served them too. */
export function guarded(simulated: SocialProvider): SocialProvider {
  const allowed =
    <Request extends { login: Login }, Answer>(ask: (request: Request) => Promise<Answer>) =>
    async (request: Request): Promise<Answer> => {
      if (!request.login.test) throw new PlatformRefusedError(NOT_SET_UP, { expired: true })
      return ask(request)
    }
  return {
    name: simulated.name,
    platforms: simulated.platforms,
    simulation: simulated.simulation,
    connect: allowed((request) => simulated.connect(request)),
    publish: allowed((request) => simulated.publish(request)),
    sync: allowed((request) => simulated.sync(request)),
    comment: allowed((request) => simulated.comment(request)),
  }
}

const NOT_SET_UP = 'This account is simulated, and this service simulates networks for test accounts only.'
