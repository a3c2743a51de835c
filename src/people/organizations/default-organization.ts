/**
 * The organization that always exists (migrations/0001): people land there for whom no rule decides, and its groups hold for
 * the people of every organization.
 */
export const defaultOrganizationId = "00000000-0000-7000-8000-000000000001";
