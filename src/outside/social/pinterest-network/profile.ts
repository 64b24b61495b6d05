import { type Credentials, PlatformRefusedError, type Profile } from '../provider.ts'
import type { Api } from './api.ts'
import { Board, Boards, User } from './shapes.ts'

const ON_A_PAGE = 100
/** More than a person would choose from. */
const MOST_PAGES = 5

export function userOf(api: Api): Promise<User> {
  return api.call('/user_account', User)
}

/** The boards of an account. */
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

/** The board that pins go to. Throws a PlatformRefusedError for credentials without one. */
export function boardIdIn({ board }: Credentials): string {
  if (board) return board
  throw new PlatformRefusedError('credentials need a board; open connect_url to choose one')
}

export function boardOf(api: Api, credentials: Credentials): Promise<Board> {
  return api.call(`/boards/${encodeURIComponent(boardIdIn(credentials))}`, Board)
}

/** An account is one board, so its name is that of both. */
export function profileOf(user: User, board: Board): Profile {
  return {
    username: `${user.username}/${board.name}`,
    displayName: `${user.business_name || user.username}: ${board.name}`,
    profileUrl: `https://www.pinterest.com/${encodeURIComponent(user.username)}/`,
    avatarUrl: user.profile_image ?? null,
    followersCount: user.follower_count ?? null,
  }
}
