import { z } from 'zod'
import { API_VERSIONS } from '../../../../providers/api-versions.ts'
import { guardedFetch, jsonRequest, type NetworkParts, refusalOf, tokenIn, wordsIn } from '../network.ts'
import { type Credentials, PlatformRefusedError, type Profile } from '../provider.ts'

const ON_A_PAGE = 100
/** The maximum number of pages of boards that are read: 500 boards, enough for a person to choose from. */
const MOST_PAGES = 5

/** The response fields that are used (developers.pinterest.com/docs/api/v5). */
const Refusal = z.object({ code: z.number().optional(), message: z.string() })

const User = z.object({
  username: z.string(),
  business_name: z.string().nullish(),
  profile_image: z.string().nullish(),
  follower_count: z.number().nullish(),
})
type User = z.output<typeof User>

const Board = z.object({ id: z.string(), name: z.string() })
type Board = z.output<typeof Board>
const Boards = z.object({ items: z.array(Board), bookmark: z.string().nullish() })

export const Pin = z.object({
  id: z.string(),
  created_at: z.string().nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
})
export const Pins = z.object({ items: z.array(Pin) })

export const Registered = z.object({
  media_id: z.string(),
  upload_url: z.string(),
  upload_parameters: z.record(z.string(), z.string()),
})
export const Media = z.object({ status: z.enum(['registered', 'processing', 'succeeded', 'failed']) })

export const Analytics = z.object({
  all: z.object({
    daily_metrics: z
      .array(
        z.object({
          date: z.string(),
          data_status: z.string(),
          metrics: z.record(z.string(), z.number().nullable()).default({}),
        }),
      )
      .default([]),
  }),
})

export interface Api {
  /** Sends a request. Rejects with a PlatformRefusedError if Pinterest refuses it, and with a PlatformBusyError if it limits the rate. */
  call<Shape extends z.ZodType>(path: string, shape: Shape, body?: Record<string, unknown>): Promise<z.output<Shape>>
}

/** Returns an API client. Throws a PlatformRefusedError for invalid credentials. */
export function apiOf({ web, addressOf }: NetworkParts, credentials: Credentials, signal: AbortSignal): Api {
  const token = tokenIn('Pinterest', credentials)
  const fetch = guardedFetch(web, signal)
  const address = `${addressOf('https://api.pinterest.com')}/${API_VERSIONS.pinterest.version}`
  return {
    async call(path, shape, body) {
      const answer = await fetch(address + path, jsonRequest(token, { method: body ? 'POST' : 'GET', body }))
      const text = await answer.text()
      if (answer.ok) return shape.parse(JSON.parse(text))
      const words = wordsIn('Pinterest', text, (json) => Refusal.parse(json).message)
      throw refusalOf(answer, { network: 'Pinterest', words })
    },
  }
}

export function userOf(api: Api): Promise<User> {
  return api.call('/user_account', User)
}

export async function boardsOf(api: Api): Promise<Board[]> {
  const boards: Board[] = []
  let bookmark: string | null | undefined = ''
  for (let page = 0; page < MOST_PAGES && typeof bookmark === 'string'; page++) {
    const more: string = bookmark === '' ? '' : `&bookmark=${encodeURIComponent(bookmark)}`
    const answer = await api.call(`/boards?page_size=${ON_A_PAGE}${more}`, Boards)
    boards.push(...answer.items)
    bookmark = answer.bookmark || null
  }
  return boards
}

/** Returns the id of the board for pins. Throws a PlatformRefusedError if the credentials contain none. */
export function boardIdIn({ board }: Credentials): string {
  if (board) return board
  throw new PlatformRefusedError('credentials need a board; open connect_url to choose one')
}

export function boardOf(api: Api, credentials: Credentials): Promise<Board> {
  return api.call(`/boards/${encodeURIComponent(boardIdIn(credentials))}`, Board)
}

/** Returns the profile of an account, which is one board: its name combines the names of the user and the board. */
export function profileOf(user: User, board: Board): Profile {
  return {
    username: `${user.username}/${board.name}`,
    displayName: `${user.business_name || user.username}: ${board.name}`,
    profileUrl: `https://www.pinterest.com/${encodeURIComponent(user.username)}/`,
    avatarUrl: user.profile_image ?? null,
    followersCount: user.follower_count ?? null,
  }
}
