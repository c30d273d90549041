import { postern } from "../../../postern";

const handle = async (request: Request): Promise<Response> => (await postern()).fetch(request);

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT };
