/**
 * The organization that always exists (migrations/0001): people without a matching landing rule belong to it, and its
 * groups apply to the people of every organization.
 */
export const defaultOrganizationId = "00000000-0000-7000-8000-000000000001";
