-- What the sandbox goes on showing of posts that were deleted in the shop.
create table sandbox_posts (
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
create index sandbox_posts_by_id on sandbox_posts (id);
create index sandbox_posts_by_account on sandbox_posts (account_id, social_account);
