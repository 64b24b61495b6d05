-- Databases of earlier versions have these tables from their baseline, so nothing is made twice.

create table if not exists social_accounts (
  account_id text not null,
  id text not null,
  platform text not null,
  username text,
  username_key text,
  display_name text,
  profile_url text,
  avatar_url text,
  label text,
  status text not null,
  default_timezone text not null,
  followers_count integer,
  last_synced_at text,
  error_message text,
  metadata text not null,
  provider text not null,
  sealed_credentials text,
  offered_credentials text,
  connecting integer not null,
  redirect_url text,
  refresh_job text,
  -- When the access is due for renewal, and until when a process is renewing it.
  renew_at text,
  renewing_until text,
  -- JSON: limits of the account's own server.
  limits text,
  -- The version of the network's API that the network no longer accepted from the account.
  ended_version text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
-- A name is null until the account is connected, and nulls are never equal.
create unique index if not exists social_accounts_by_name on social_accounts (account_id, platform, username_key);
create index if not exists social_accounts_by_ended_version on social_accounts (platform, ended_version) where ended_version is not null;

-- People on their way to a network's own page and back, found by the state that the network repeats.
create table if not exists social_authorizations (
  account_id text not null,
  id text not null,
  social_account text not null,
  platform text not null,
  state_hash text not null,
  browser_hash text not null,
  step text not null,
  sealed text not null,
  created_at text not null,
  expires_at text not null,
  primary key (account_id, id)
);
create index if not exists social_authorizations_by_account on social_authorizations (account_id, social_account, id);
create index if not exists social_authorizations_by_expiry on social_authorizations (expires_at);

-- Apps that networks have registered for this service.
create table if not exists social_apps (
  account_id text not null,
  server text not null,
  sealed text not null,
  expires_at text not null,
  primary key (account_id, server)
);
create index if not exists social_apps_by_expiry on social_apps (expires_at);

create table if not exists social_posts (
  account_id text not null,
  id text not null,
  content text,
  language text,
  media text not null,
  link_url text,
  first_comment text,
  overrides text not null,
  social_accounts text not null,
  platforms text not null,
  publish_now integer not null,
  status text not null,
  scheduled_at text,
  timezone text not null,
  published_at text,
  due_job text,
  metadata text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index if not exists social_posts_by_status on social_posts (account_id, status, id);

-- One post on its way to one account. The row is claimed before the platform is asked.
create table if not exists social_deliveries (
  account_id text not null,
  id text not null,
  social_post text not null,
  social_account text not null,
  platform text not null,
  status text not null,
  platform_post_id text,
  platform_url text,
  error_message text,
  published_at text,
  round integer not null,
  asked_at text,
  -- Encrypted state of the adapter, such as the address of an upload.
  progress text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create unique index if not exists social_deliveries_by_post on social_deliveries (account_id, social_post, social_account);
create index if not exists social_deliveries_by_account on social_deliveries (account_id, social_account, status, published_at);

create table if not exists social_comments (
  account_id text not null,
  id text not null,
  social_post text,
  social_account text not null,
  platform text not null,
  parent text,
  author_name text not null,
  author_username text,
  content text not null,
  status text not null,
  liked integer not null,
  likes_count integer not null,
  replies_count integer not null,
  from_account integer not null,
  platform_comment_id text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create unique index if not exists social_comments_by_platform on social_comments (account_id, platform_comment_id, social_account);
create index if not exists social_comments_by_account on social_comments (account_id, social_account, id);
create index if not exists social_comments_by_post on social_comments (account_id, social_post, id) where social_post is not null;
create index if not exists social_comments_by_parent on social_comments (account_id, parent, id) where parent is not null;

-- Comments that were deleted here. A platform that still shows them does not bring them back.
create table if not exists social_comment_deletions (
  account_id text not null,
  social_account text not null,
  platform_comment_id text not null,
  primary key (account_id, platform_comment_id, social_account)
);

-- The figures of one day: of an account, where `social_post` is empty, or of one of its posts.
create table if not exists social_figures (
  account_id text not null,
  social_account text not null,
  social_post text not null,
  date text not null,
  impressions bigint not null,
  reach bigint not null,
  likes bigint not null,
  comments bigint not null,
  shares bigint not null,
  clicks bigint not null,
  saves bigint not null,
  followers bigint not null,
  followers_gained bigint not null,
  -- 0 where the platform did not report followers; `followers` means nothing then.
  followers_known integer not null default 1,
  primary key (account_id, social_account, social_post, date)
);
create index if not exists social_figures_by_post on social_figures (account_id, social_post, date) where social_post <> '';

-- Posts that the sandbox still shows after they were deleted in the shop.
create table if not exists sandbox_posts (
  account_id text not null,
  id text not null,
  social_account text not null,
  platform text not null,
  content text not null,
  media_count integer not null,
  first_comment text,
  published_at text not null,
  primary key (account_id, id)
);
create index if not exists sandbox_posts_by_account on sandbox_posts (account_id, social_account);
