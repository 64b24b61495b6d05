create table social_accounts (
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
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

-- Names are unknown until an account is connected, and nulls never equal each other.
create unique index social_accounts_by_name on social_accounts (account_id, platform, username_key);
-- The page that connects an account is asked for by the account's id alone.
create index social_accounts_by_id on social_accounts (id);

create table social_posts (
  account_id text not null,
  id text not null,
  content text,
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

create index social_posts_by_status on social_posts (account_id, status, id);

-- One post on its way to one account: its row is claimed before the platform is asked.
create table social_deliveries (
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
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

create unique index social_deliveries_by_post on social_deliveries (account_id, social_post, social_account);
create index social_deliveries_by_account on social_deliveries (account_id, social_account, status, published_at);
-- The page that shows a post in the sandbox is asked for by the delivery's id alone.
create index social_deliveries_by_id on social_deliveries (id);

create table social_comments (
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

create unique index social_comments_by_platform on social_comments (account_id, platform_comment_id, social_account);
create index social_comments_by_account on social_comments (account_id, social_account, id);
create index social_comments_by_post on social_comments (account_id, social_post, id) where social_post is not null;
create index social_comments_by_parent on social_comments (account_id, parent, id) where parent is not null;

-- Comments that were deleted here, so that a platform that still shows them brings none back.
create table social_comment_deletions (
  account_id text not null,
  social_account text not null,
  platform_comment_id text not null,
  primary key (account_id, platform_comment_id, social_account)
);

-- What a platform reported of a day: of an account (social_post is empty), or of one post there.
create table social_figures (
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
  primary key (account_id, social_account, social_post, date)
);

create index social_figures_by_post on social_figures (account_id, social_post, date) where social_post <> '';
