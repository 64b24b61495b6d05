import { z } from 'zod'
import type { Profile } from '../../provider.ts'
import { type Graph, Insights } from '../api.ts'
import { orNone, totalsIn } from '../insights.ts'

export interface ThreadsAccount {
  graph: Graph
  id: string
}

const User = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string().optional(),
  threads_profile_picture_url: z.string().optional(),
})

/** Returns the owner of a token (Threads API, Profiles). The number of followers takes a separate request. */
export async function profileOf(graph: Graph): Promise<{ id: string; profile: Profile }> {
  const fields = 'id,username,name,threads_profile_picture_url'
  const { id, username, name, threads_profile_picture_url } = await graph.get('/me', User, { fields })
  const followers = await orNone(graph.get('/me/threads_insights', Insights, { metric: 'followers_count' }))
  return {
    id,
    profile: {
      username,
      displayName: name || null,
      profileUrl: `https://www.threads.com/@${username}`,
      avatarUrl: threads_profile_picture_url ?? null,
      followersCount: totalsIn(followers).get('followers_count') ?? null,
    },
  }
}
