declare module "workerd" {
  /** A CommonJS module, so that its `default` is a property of what Node imports. */
  const workerd: { default: string };
  export default workerd;
}
