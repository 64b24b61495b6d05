import { z } from 'zod'
import type { Profile } from '../provider.ts'

export const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().optional() })

export const Permissions = z.object({ data: z.array(z.object({ permission: z.string(), status: z.string() })) })

/** An Instagram professional account, with or without a page (Instagram Platform, IG User). */
export const InstagramUser = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string().optional(),
  profile_picture_url: z.string().optional(),
  followers_count: z.number().optional(),
})

/** The fields of a page's profile (Graph API, Page). */
export const PageProfile = z.object({
  id: z.string(),
  name: z.string(),
  username: z.string().optional(),
  link: z.string().optional(),
  picture: z.object({ data: z.object({ url: z.string().optional() }) }).optional(),
  followers_count: z.number().optional(),
})

/** A page that a person may manage. */
export const Page = PageProfile.extend({
  access_token: z.string(),
  tasks: z.array(z.string()).default([]),
  instagram_business_account: InstagramUser.optional(),
})
export type Page = z.output<typeof Page>

export const Accounts = z.object({
  data: z.array(Page),
  paging: z.object({ cursors: z.object({ after: z.string() }).optional(), next: z.string().optional() }).optional(),
})

/** Returns the profile of a page, with the page's id as the username if it has none. */
export function pageProfile(page: z.output<typeof PageProfile>): Profile {
  const { id, name, username, link, picture, followers_count } = page
  return {
    username: username ?? id,
    displayName: name,
    profileUrl: link ?? `https://www.facebook.com/${id}`,
    avatarUrl: picture?.data.url ?? null,
    followersCount: followers_count ?? null,
  }
}

export function instagramProfile(user: z.output<typeof InstagramUser>): Profile {
  const { username, name, profile_picture_url, followers_count } = user
  return {
    username,
    displayName: name || null,
    profileUrl: `https://www.instagram.com/${username}/`,
    avatarUrl: profile_picture_url ?? null,
    followersCount: followers_count ?? null,
  }
}
