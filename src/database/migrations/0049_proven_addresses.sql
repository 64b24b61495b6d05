-- The address that a link was mailed to; null where an operator made it.
alter table verifications add column mailed_to text;

-- An address that a person has asked for and not proven yet; one a person.
create table address_changes (
  user_id text primary key,
  id text not null unique,
  email text not null,
  token_hash text unique,
  expires_at text not null,
  created_at text not null
);

create index address_changes_by_expiry on address_changes (expires_at);

-- Until now a password was enough to change an address, so whoever has changed the details since may have anybody's address.
-- An address that was never changed was given by an operator or proven by an invitation.
update users set email_verified = case when updated_at is null and email <> 'owner@example.com' then 1 else 0 end;

-- Whoever set a password by mail after somebody else had taken the address could not remove that person's passkeys.
delete from passkeys
where user_id in (select id from users where email_verified = 0)
  and exists (
    select 1 from sign_in_methods
    where sign_in_methods.user_id = passkeys.user_id and sign_in_methods.updated_at > passkeys.created_at
  );

-- Invitations that whoever made them could not make any more.
delete from invitations
where not exists (
  select 1 from memberships
  where memberships.account_id = invitations.account_id
    and memberships.user_id = invitations.invited_by
    and (memberships.role = 'owner' or (memberships.role = 'admin' and invitations.role <> 'owner'))
);
